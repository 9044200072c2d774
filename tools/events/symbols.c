// SPDX-License-Identifier: MIT
/*
 * Functions and lines of a file.
 *
 * The file is reported to libdwfl at the addresses that it was linked for. A
 * line belongs to the named function itself, never to a function inlined into
 * it. Results are cached by offset, as the same calls occur again and again.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>

#include "tools/evnt.h"
#include "decode/format.h"
#include "tools/events/symbols.h"

#define CHAINS		4096
/* Maximum size of a build id; linkers make shorter ones */
#define MAX_ID		64

/* Cached result for an offset */
struct known_file {
	struct known_file *next;
	uint64_t offset;
	struct symbol symbol;
};

/**
 * struct symbols - symbols of a file
 * @dwfl: libdwfl session for this file alone
 * @module: the file in libdwfl
 * @elf: the file's ELF data
 * @bias: difference between libdwfl's addresses and the file's
 * @known: hash chains of cached results
 */
struct symbols {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;
	struct known_file *known[CHAINS];
};

/* Find debug information where it is installed; the ELF file is already open */
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static int open_regular(const char *path)
{
	/*
	 * The path comes from a log: do not open devices or other special
	 * files, which could have side effects
	 */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Return whether the file has the recorded build id */
static bool is_same_build(Elf *elf, const char *path, const char *id)
{
	char text[2 * MAX_ID + 1] = "";
	const void *bytes;
	ssize_t len;

	len = dwelf_elf_gnu_build_id(elf, &bytes);
	if (len > 0 && len <= MAX_ID)
		format_hex(bytes, len, text);
	if (!strcmp(text, id) || !strcmp(id, BUILD_UNKNOWN))
		return true;
	note("%s is another build than the one that was recorded: its functions"
	     " are not named", path);
	return false;
}

struct symbols *symbols_open(const char *path, const char *id)
{
	struct symbols *s;
	int fd;

	fd = *path == '/' ? open_regular(path) : -1;
	if (fd < 0)
		return NULL;
	s = must_have(calloc(1, sizeof(*s)));
	s->dwfl = dwfl_begin(&callbacks);
	if (!s->dwfl)
		goto close_file;
	dwfl_report_begin(s->dwfl);
	s->module = dwfl_report_elf(s->dwfl, path, path, fd, 0, true);
	if (!s->module)
		goto close_file;
	dwfl_report_end(s->dwfl, NULL, NULL);
	s->elf = dwfl_module_getelf(s->module, &s->bias);
	if (!s->elf || !is_same_build(s->elf, path, id))
		goto free_symbols;
	return s;

close_file:
	close(fd);
free_symbols:
	symbols_free(s);
	return NULL;
}

/* Convert an offset in the file to an address of libdwfl */
static bool find_address(const struct symbols *s, uint64_t offset,
			 GElf_Addr *address)
{
	size_t count, i;
	GElf_Phdr ph;

	if (elf_getphdrnum(s->elf, &count))
		return false;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(s->elf, i, &ph) || ph.p_type != PT_LOAD ||
		    offset - ph.p_offset >= ph.p_filesz ||
		    !(ph.p_flags & PF_X))
			continue;
		*address = offset - ph.p_offset + ph.p_vaddr + s->bias;
		return true;
	}
	return false;
}

static void find_function(const struct symbols *s, GElf_Addr address,
			  struct symbol *symbol)
{
	GElf_Off offset;
	const char *name;
	GElf_Sym sym;

	name = dwfl_module_addrinfo(s->module, address, &offset, &sym, NULL,
				    NULL, NULL);
	/* Ignore a preceding symbol that does not cover the address */
	if (!name || offset >= sym.st_size)
		return;
	symbol->function = must_have(format_utf8_copy(name));
	symbol->offset = offset;
}

static bool read_number(Dwarf_Die *die, unsigned int name, Dwarf_Word *number)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) &&
	       !dwarf_formudata(&attribute, number);
}

static void set_line(struct symbol *symbol, const char *file, uint64_t line)
{
	if (!file || !line || line > UINT32_MAX)
		return;
	free(symbol->file);
	symbol->file = must_have(format_utf8_copy(file));
	symbol->line = line;
}

/* Replace a line of an inlined function by the line of the outermost call */
static void find_call(const struct symbols *s, GElf_Addr address,
		      struct symbol *symbol)
{
	Dwarf_Die *unit, *lexical = NULL, *scopes = NULL, *call = NULL;
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	Dwarf_Addr bias;
	int count;

	unit = dwfl_module_addrdie(s->module, address, &bias);
	if (!unit)
		return;
	/*
	 * Use the innermost scope only: after an inlined function,
	 * dwarf_getscopes() goes on with the scopes of its definition
	 */
	count = dwarf_getscopes(unit, address - bias, &lexical);
	if (count > 0)
		count = dwarf_getscopes_die(&lexical[0], &scopes);
	free(lexical);
	for (int i = 0; i < count; i++) {
		if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
			call = &scopes[i];
	}
	if (call && read_number(call, DW_AT_call_file, &file) &&
	    read_number(call, DW_AT_call_line, &line) &&
	    !dwarf_getsrcfiles(unit, &files, NULL))
		set_line(symbol, dwarf_filesrc(files, file, NULL, NULL), line);
	free(scopes);
}

static void find_line(const struct symbols *s, GElf_Addr address,
		      struct symbol *symbol)
{
	Dwfl_Line *line = dwfl_module_getsrc(s->module, address);
	const char *file;
	int number = 0;

	file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) :
		      NULL;
	set_line(symbol, file, number > 0 ? number : 0);
	if (symbol->file)
		find_call(s, address, symbol);
}

const struct symbol *symbols_find(struct symbols *symbols, uint64_t offset)
{
	struct known_file **chain = &symbols->known[offset / 4 % CHAINS];
	GElf_Addr address;
	struct known_file *k;

	for (k = *chain; k; k = k->next) {
		if (k->offset == offset)
			return &k->symbol;
	}
	k = must_have(calloc(1, sizeof(*k)));
	k->offset = offset;
	k->next = *chain;
	*chain = k;
	if (find_address(symbols, offset, &address)) {
		find_function(symbols, address, &k->symbol);
		find_line(symbols, address, &k->symbol);
	}
	return &k->symbol;
}

void symbols_free(struct symbols *symbols)
{
	struct known_file *k, *next;

	for (size_t i = 0; i < CHAINS; i++) {
		for (k = symbols->known[i]; k; k = next) {
			next = k->next;
			free(k->symbol.function);
			free(k->symbol.file);
			free(k);
		}
	}
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
	free(symbols);
}
