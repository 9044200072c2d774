// SPDX-License-Identifier: GPL-2.0
/*
 * torture SECONDS SEED MODULE [PART]: all disturbances of the module at once,
 * in rounds, with checks after each round; then a hostile neighbour for a sixth
 * of the time.  Prints TAP.
 *
 * PART is "chaos" or "neighbour": only this one, for all of the time.
 *
 * Run it in a disposable machine.
 */
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "neighbour.h"

#define ROUND		30	/* seconds */
#define PATIENCE	20	/* seconds until resources are released */

struct totals *totals;

static unsigned int cases, failures;

static void report(bool ok, uint32_t round, const char *what)
{
	printf("%sok %u - round %u: %s\n", ok ? "" : "not ", ++cases, round,
	       what);
	failures += !ok;
}

/* Make one in fifty allocations fail in tasks that request it, if supported */
static void set_faults(void)
{
	static const struct {
		const char *file;
		const char *value;
	} settings[] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/min-order", "0" },
		{ "failslab/task-filter", "Y" },
		{ "fail_page_alloc/task-filter", "Y" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/verbose", "0" },
		{ "failslab/times", "-1" },
		{ "fail_page_alloc/times", "-1" },
		{ "failslab/probability", "2" },
		{ "fail_page_alloc/probability", "2" },
	};
	char path[128];
	unsigned int i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s",
			 settings[i].file);
		if (!write_file(path, settings[i].value)) {
			printf("# no faults are injected: no %s\n", path);
			return;
		}
	}
}

static bool load(const char *module)
{
	int fd = open(module, O_RDONLY | O_CLOEXEC);
	bool ok;

	if (fd < 0)
		return false;
	ok = !syscall(SYS_finit_module, fd, "", 0) || errno == EEXIST;
	close(fd);
	totals->loads += ok;
	return ok;
}

/* Wait for a condition until the patience ends */
static bool eventually(bool (*is_so)(void))
{
	int i;

	for (i = 0; i < PATIENCE * 100; i++) {
		if (is_so())
			return true;
		usleep(10000);
	}
	return false;
}

static bool unload(void)
{
	return !syscall(SYS_delete_module, "evntprov", O_NONBLOCK);
}

/* Sessions outlive their controllers, so stop them here */
static void stop_all(int fd)
{
	__u64 handles[EVNTRACE_MAX_SESSIONS];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_SESSIONS,
		.element_size = sizeof(__u64), .elements = (uintptr_t)handles,
		.count = EVNTRACE_MAX_SESSIONS,
	};
	unsigned int i;

	if (do_ioctl(fd, EVNTRACE_IOC_LIST, &l))
		return;
	for (i = 0; i < l.count; i++)
		dev_stop(fd, handles[i], NULL);
}

static bool is_empty(void)
{
	int fd = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	struct dev_status s, none = {};

	stop_all(fd);
	s = dev_status();
	close(fd);
	return !memcmp(&s, &none, sizeof(s));
}

static void print_status(void)
{
	struct dev_status s = dev_status();

	printf("# left: %llu files, %llu registrations, %llu providers, %llu enablements, %llu sessions, %llu buffers\n",
	       s.files, s.registrations, s.providers, s.enablements,
	       s.sessions, s.buffers);
}

static void clean_dirs(void)
{
	umount2(SMALL_DIR, MNT_DETACH);
	if (system("rm -rf " BIG_DIR "/*") || mkdir(SMALL_DIR, 0755) ||
	    mount("small", SMALL_DIR, "tmpfs", 0, "size=" SMALL_SIZE))
		printf("# %s cannot be made\n", SMALL_DIR);
}

static void play_round(uint32_t round, uint64_t seed, uint32_t seconds)
{
	bool ok;

	clean_dirs();
	ok = measured_begin(seed) && system_begin();
	report(ok, round, "measured sessions start");
	if (!ok)
		return;
	chaos_begin(seed + 1);
	sleep(seconds);
	chaos_end();
	report(measured_end(), round,
	       "each event is kept once and in order, or counted as lost; each consumer knows what it missed");
	report(system_end(), round,
	       "events of the kernel are kept in order, or counted as lost");
	ok = eventually(is_empty);
	if (!ok)
		print_status();
	report(ok, round, "nothing is left behind");
}

/* Bystanders trace beside the hostile neighbour */
static void play_neighbour(uint32_t round, uint64_t seed, uint32_t seconds)
{
	bool kept, ok;

	clean_dirs();
	ok = neighbour_round(seed, seconds, &kept);
	report(ok, round,
	       "each call of others than the hostile neighbour returns in time, without an error");
	report(kept, round, "others than the hostile neighbour lose no event");
	ok = eventually(is_empty);
	if (!ok)
		print_status();
	report(ok, round, "the hostile neighbour leaves nothing behind");
}

/* Play rounds of one part until something is wrong */
static void play_part(void (*play)(uint32_t round, uint64_t seed,
				   uint32_t seconds),
		      const char *module, uint64_t seed, uint32_t seconds)
{
	const time_t end = time(NULL) + seconds;
	uint32_t round, left;

	for (round = 1; time(NULL) < end && !failures; round++) {
		report(load(module), round, "the module loads");
		left = end - time(NULL);
		play(round, seed + round * 1000,
		     left > ROUND + ROUND / 2 ? ROUND : left);
		report(eventually(unload), round, "the module unloads");
	}
}

int main(int argc, char **argv)
{
	const char *part = argc == 5 ? argv[4] : "";
	uint32_t seconds;
	uint64_t seed;

	if (argc < 4 || argc > 5) {
		fprintf(stderr, "usage: torture SECONDS SEED MODULE [PART]\n");
		return 2;
	}
	setlinebuf(stdout);
	seed = strtoull(argv[2], NULL, 0);
	seconds = atoi(argv[1]);
	totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	mkdir(BIG_DIR, 0755);
	measured_setup();
	live_setup();
	set_faults();
	stop_fair_servers();
	printf("# seed %llu\n", (unsigned long long)seed);
	if (strcmp(part, "neighbour"))
		play_part(play_round, argv[3], seed, seconds);
	if (strcmp(part, "chaos") && !failures)
		play_part(play_neighbour, argv[3], seed,
			  *part ? seconds : (seconds + 5) / 6);
	printf("# wanted %llu, kept %llu, lost %llu; %llu of the kernel; %llu other writes, %llu controls, %llu logs read, %llu kills, %llu hotplugs, %llu refused unloads, %llu loads\n",
	       (unsigned long long)totals->written,
	       (unsigned long long)totals->kept,
	       (unsigned long long)totals->lost,
	       (unsigned long long)totals->kernel_events,
	       (unsigned long long)totals->chaos_writes,
	       (unsigned long long)totals->controls,
	       (unsigned long long)totals->reads,
	       (unsigned long long)totals->kills,
	       (unsigned long long)totals->hotplugs,
	       (unsigned long long)totals->refused_unloads,
	       (unsigned long long)totals->loads);
	printf("# %llu consumed, %llu missed, %llu snapshots\n",
	       (unsigned long long)totals->consumed,
	       (unsigned long long)totals->missed,
	       (unsigned long long)totals->snapshots);
	printf("1..%u\n", cases);
	return failures != 0;
}
