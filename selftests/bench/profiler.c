// SPDX-License-Identifier: MIT
/*
 * A QEMU plugin that counts how often each instruction is executed between two
 * marks (see measure.c), and writes the counts of the shortest such interval to
 * a file: a line for each address, in hexadecimal, with its count.
 *
 * usage: -plugin libprofiler.so,out=FILE
 *
 * Addresses are counted in all processes: another process would be counted as
 * the program, if it ran between two marks.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The used part of QEMU's plugin interface, whose header is in no package */
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;

typedef uint64_t plugin_id;

enum { PLUGIN_NO_REGISTERS = 0, PLUGIN_ADD_U64 = 0 };

typedef void (*plugin_tb_cb)(plugin_id id, struct qemu_plugin_tb *tb);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, plugin_tb_cb cb);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    void (*cb)(unsigned int cpu,
						       void *data),
					    int flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
						int op, void *p, uint64_t add);
void qemu_plugin_register_atexit_cb(plugin_id id,
				    void (*cb)(plugin_id id, void *data),
				    void *data);

#define EXPORT	__attribute__((visibility("default")))

EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(plugin_id id, const struct qemu_info *info,
			       int argc, char **argv);

int qemu_plugin_version = 1;

/* A power of two; a kernel and its programs execute less than a million */
#define SLOTS		(1u << 22)

/*
 * Indexed by address, in the first free slot from the hash on.  Translated code
 * contains the address of its counter, so counters never move.
 */
static uint64_t *addresses;
static uint64_t *counts;
static uint64_t *best;
static uint64_t best_sum = UINT64_MAX;
static unsigned int used;
static const char *out = "profile";

static unsigned int slot_of(uint64_t address)
{
	unsigned int i = address * 0x9e3779b97f4a7c15ull >> 42;

	while (addresses[i] && addresses[i] != address)
		i = (i + 1) % SLOTS;
	return i;
}

static void begin(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	memset(counts, 0, SLOTS * sizeof(*counts));
}

static void end(unsigned int cpu, void *data)
{
	uint64_t sum = 0;
	unsigned int i;

	(void)cpu;
	(void)data;
	for (i = 0; i < SLOTS; i++)
		sum += counts[i];
	if (sum >= best_sum)
		return;
	best_sum = sum;
	memcpy(best, counts, SLOTS * sizeof(*best));
}

/* nopl 0x45564e00(%rax,%rax,1) begins, the one after it ends */
static int mark(const struct qemu_plugin_insn *insn)
{
	static const unsigned char nop[] = { 0x0f, 0x1f, 0x84, 0x00 };
	static const unsigned char magic[] = { 0x4e, 0x56, 0x45 };
	const unsigned char *code = qemu_plugin_insn_data(insn);

	if (qemu_plugin_insn_size(insn) != 8 ||
	    memcmp(code, nop, sizeof(nop)) || memcmp(code + 5, magic, 3))
		return -1;
	return code[4];
}

static void look_at(struct qemu_plugin_insn *insn)
{
	uint64_t address = qemu_plugin_insn_vaddr(insn);
	unsigned int slot = slot_of(address);
	int which = mark(insn);

	if (which >= 0)
		qemu_plugin_register_vcpu_insn_exec_cb(insn,
						       which ? end : begin,
						       PLUGIN_NO_REGISTERS,
						       NULL);
	if (!addresses[slot]) {
		if (used > SLOTS / 2)
			return;
		used++;
		addresses[slot] = address;
	}
	qemu_plugin_register_vcpu_insn_exec_inline(insn, PLUGIN_ADD_U64,
						   &counts[slot], 1);
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (i = 0; i < n; i++)
		look_at(qemu_plugin_tb_get_insn(tb, i));
}

static void leave(plugin_id id, void *data)
{
	FILE *f = fopen(out, "w");
	unsigned int i;

	(void)id;
	(void)data;
	for (i = 0; f && i < SLOTS; i++) {
		if (best[i])
			fprintf(f, "%016llx %llu\n",
				(unsigned long long)addresses[i],
				(unsigned long long)best[i]);
	}
	if (f)
		fclose(f);
}

int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc,
			char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4))
			out = strdup(argv[i] + 4);
	}
	addresses = calloc(SLOTS, sizeof(*addresses));
	counts = calloc(SLOTS, sizeof(*counts));
	best = calloc(SLOTS, sizeof(*best));
	if (!addresses || !counts || !best)
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, leave, NULL);
	return 0;
}
