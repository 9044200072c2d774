// SPDX-License-Identifier: MIT
/* evntmc: generates the header */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evntmc/mc.h"

static void write_guid_constant(FILE *out, const char *name,
				const char *ending, const GUID *guid)
{
	fputs("EXTERN_C const GUID EVNT_MC_SHARED ", out);
	mc_identifier(out, name);
	fprintf(out, "%s;\nconst GUID ", ending);
	mc_identifier(out, name);
	fprintf(out, "%s = { 0x%08x, 0x%04x, 0x%04x, { ", ending, guid->Data1,
		guid->Data2, guid->Data3);
	for (int i = 0; i < 8; i++)
		fprintf(out, "0x%02x%s", guid->Data4[i], i < 7 ? ", " : " } }");
	fputs(";\n", out);
}

static bool has_traits(const struct provider *p)
{
	return p->name_in_traits || p->has_control_guid || p->has_group_guid;
}

#define TRAIT_SIZE	19	/* size field, type, GUID */
#define TRAIT_GROUP	1
#define TRAIT_DECODE	2

static void write_trait(FILE *out, unsigned int type, const GUID *guid)
{
	const u8 *bytes = (const u8 *)guid;

	fprintf(out, " \\\n\t\"\\x%02x\\x00\\x%02x", TRAIT_SIZE, type);
	for (size_t i = 0; i < sizeof(*guid); i++)
		fprintf(out, "\\x%02x", bytes[i]);
	fputc('"', out);
}

/*
 * Write the traits as a string literal. The literal is split where a character
 * could extend a hexadecimal escape.
 */
static void write_traits(FILE *out, const struct provider *p)
{
	const char *name = p->name_in_traits ? p->name : "";
	size_t size = 2 + strlen(name) + 1 +
		      TRAIT_SIZE * (p->has_group_guid + p->has_control_guid);

	fprintf(out, "#ifndef %s_Traits\n#define %s_Traits", p->symbol,
		p->symbol);
	if (!has_traits(p)) {
		fputs(" NULL\n#endif\n", out);
		return;
	}
	fprintf(out, " ( \\\n\t\"\\x%02zx\\x%02zx\" \\\n\t\"", size & 0xff,
		size >> 8);
	for (; *name; name++) {
		unsigned char c = *name;
		bool plain = isprint(c) && c != '"' && c != '\\' && c != '?';

		fprintf(out, plain ? "%c" : "\\%03o", c);
	}
	fputs("\\000\"", out);
	if (p->has_group_guid)
		write_trait(out, TRAIT_GROUP, &p->group_guid);
	if (p->has_control_guid)
		write_trait(out, TRAIT_DECODE, &p->guid);
	fputs(")\n#endif\n", out);
}

/*
 * Write a constant with a guard, as providers of a manifest may share symbols
 */
static void write_number(FILE *out, const char *symbol, u64 number)
{
	fprintf(out, "#ifndef %s\n#define %s 0x%llx\n#endif\n", symbol, symbol,
		(unsigned long long)number);
}

/*
 * Write an item; one without a symbol is named by its kind. Also write the
 * keyword that all events of a channel have.
 */
static void write_item(FILE *out, const struct provider *p,
		       enum item_kind kind, const struct item *item)
{
	static const char *const kinds[] = {
		[ITEM_LEVEL] = "LEVEL", [ITEM_TASK] = "TASK",
		[ITEM_OPCODE] = "OPCODE", [ITEM_KEYWORD] = "KEYWORD",
		[ITEM_CHANNEL] = "CHANNEL",
	};
	char *symbol = NULL, *name;
	FILE *text;
	size_t len;

	if (item->symbol) {
		symbol = strdup(item->symbol);
	} else {
		text = open_memstream(&symbol, &len);
		if (!text)
			return;
		fprintf(text, "%s_%s_", p->symbol, kinds[kind]);
		mc_identifier(text, item->chid ? item->chid : item->name);
		fclose(text);
	}
	if (!symbol)
		return;
	write_number(out, symbol, item->value);
	if (kind == ITEM_CHANNEL && item->bit &&
	    asprintf(&name, "%s_KEYWORD", symbol) >= 0) {
		write_number(out, name, item->bit);
		free(name);
	}
	free(symbol);
}

static void write_task_guid(FILE *out, const struct item *task)
{
	fputs("#ifndef ", out);
	mc_identifier(out, task->name);
	fputs("Id_def\n#define ", out);
	mc_identifier(out, task->name);
	fputs("Id_def\n", out);
	write_guid_constant(out, task->name, "Id", &task->guid);
	fputs("#endif\n", out);
}

static void write_items(FILE *out, const struct provider *p)
{
	static const enum item_kind order[] = {
		ITEM_CHANNEL, ITEM_LEVEL, ITEM_OPCODE, ITEM_TASK, ITEM_KEYWORD,
	};

	for (size_t k = 0; k < EVNT_ARRAY_SIZE(order); k++) {
		for (struct item *i = p->items[order[k]]; i; i = i->next) {
			/* Opcodes of tasks may share their names */
			if (i->symbol || order[k] == ITEM_CHANNEL ||
			    (!i->imported && !i->task))
				write_item(out, p, order[k], i);
			if (i->has_guid)
				write_task_guid(out, i);
		}
	}
}

/*
 * Write the symbols of map values, each by itself and, if the map has a symbol,
 * appended to that, and the symbols of filters
 */
static void write_maps(FILE *out, const struct provider *p)
{
	char *symbol;

	for (struct map *map = p->maps; map; map = map->next) {
		for (struct map_entry *e = map->entries; e; e = e->next) {
			if (!e->symbol)
				continue;
			write_number(out, e->symbol, e->value);
			if (!map->symbol || asprintf(&symbol, "%s%s",
						     map->symbol,
						     e->symbol) < 0)
				continue;
			write_number(out, symbol, e->value);
			free(symbol);
		}
	}
	for (struct filter *f = p->filters; f; f = f->next) {
		if (f->symbol)
			write_number(out, f->symbol, f->value);
	}
}

/* Channel of an event with traits that is written to no other channel */
#define CHANNEL_PROVIDER_METADATA	12

static EVENT_DESCRIPTOR descriptor_of(const struct provider *p,
				      const struct event *e)
{
	EVENT_DESCRIPTOR d = e->descriptor;

	if (has_traits(p) && !e->channel)
		d.Channel = CHANNEL_PROVIDER_METADATA;
	return d;
}

/*
 * Return the symbol of an event, or one made from its descriptor if it has none
 */
static char *symbol_of(const struct mc *mc, const struct provider *p,
		       const struct event *e)
{
	EVENT_DESCRIPTOR d = descriptor_of(p, e);
	size_t len = mc->strip ? strlen(mc->strip) : 0;
	char *symbol = NULL;

	if (!e->symbol) {
		if (asprintf(&symbol, "%s_EVENT_0x%x_%x_%x_%x_%x_%x_%llx",
			     p->symbol, d.Id, d.Version, d.Channel, d.Level,
			     d.Opcode, d.Task,
			     (unsigned long long)d.Keyword) < 0)
			return NULL;
		return symbol;
	}
	/* The rest must be a valid identifier */
	if (!len || strncmp(e->symbol, mc->strip, len) != 0 ||
	    !e->symbol[len] || isdigit((unsigned char)e->symbol[len]))
		len = 0;
	return strdup(e->symbol + len);
}

static void write_descriptors(FILE *out, const struct mc *mc,
			      const struct manifest *m,
			      const struct provider *p)
{
	for (struct event *e = p->events; e; e = e->next) {
		EVENT_DESCRIPTOR d = descriptor_of(p, e);
		char *symbol = e->not_logged || mc_twin(m, p, e) ? NULL :
							symbol_of(mc, p, e);

		if (!symbol)
			continue;
		fprintf(out, "EXTERN_C const EVENT_DESCRIPTOR EVNT_MC_SHARED %s;\n",
			symbol);
		fprintf(out, "const EVENT_DESCRIPTOR %s = { 0x%x, 0x%x, 0x%x, 0x%x, 0x%x, 0x%x, 0x%llx };\n",
			symbol, d.Id, d.Version, d.Channel, d.Level, d.Opcode,
			d.Task, (unsigned long long)d.Keyword);
		fprintf(out, "#define %s_value 0x%x\n", symbol, d.Id);
		free(symbol);
	}
}

/*
 * Return the enable bit of @event. Events with the same level and keywords
 * share a bit.
 */
static unsigned int bit_of(const struct provider *p, const struct event *event)
{
	unsigned int bit = 0;

	for (struct event *e = p->events; e != event; e = e->next) {
		const struct event *twin = p->events;

		if (e->not_logged)
			continue;
		if (e->descriptor.Level == event->descriptor.Level &&
		    e->descriptor.Keyword == event->descriptor.Keyword)
			return bit_of(p, e);
		while (twin != e && (twin->not_logged ||
				     twin->descriptor.Level !=
					     e->descriptor.Level ||
				     twin->descriptor.Keyword !=
					     e->descriptor.Keyword))
			twin = twin->next;
		bit += twin == e;
	}
	return bit;
}

static unsigned int count_bits(const struct provider *p)
{
	unsigned int count = 0;

	for (struct event *e = p->events; e; e = e->next) {
		if (!e->not_logged && bit_of(p, e) == count)
			count++;
	}
	return count;
}

/* Write the provider's name as used in the names of macros */
static void write_name(FILE *out, const struct provider *p)
{
	if (isdigit((unsigned char)*p->name))
		fputc('_', out);
	mc_identifier(out, p->name);
}

static void write_table(FILE *out, const struct provider *p, unsigned int size,
			const char *type, const char *ending, bool levels)
{
	unsigned int count = 0;

	fprintf(out, "EXTERN_C const %s EVNT_MC_SHARED ", type);
	write_name(out, p);
	fprintf(out, "%s[%u];\nconst %s ", ending, size, type);
	write_name(out, p);
	fprintf(out, "%s[%u] = { ", ending, size);
	for (struct event *e = p->events; e; e = e->next) {
		if (e->not_logged || bit_of(p, e) != count)
			continue;
		fprintf(out, "%s0x%llx", count ? ", " : "", levels ?
			(unsigned long long)e->descriptor.Level :
			(unsigned long long)e->descriptor.Keyword);
		count++;
	}
	fputs(count ? " };\n" : "0 };\n", out);
}

static void write_context(FILE *out, const struct provider *p)
{
	unsigned int bits = count_bits(p), size = bits ? bits : 1;

	fputs("EXTERN_C ULONG EVNT_MC_SHARED ", out);
	write_name(out, p);
	fprintf(out, "EnableBits[%u];\nULONG ", (size + 31) / 32);
	write_name(out, p);
	fprintf(out, "EnableBits[%u] __attribute__((aligned(64))) = { 0 };\n",
		(size + 31) / 32);
	write_table(out, p, size, "ULONGLONG", "Keywords", false);
	write_table(out, p, size, "UCHAR", "Levels", true);
	fprintf(out, "EXTERN_C MCGEN_TRACE_CONTEXT EVNT_MC_SHARED %s_Context;\n"
		"MCGEN_TRACE_CONTEXT %s_Context = {\n"
		"\t0, (ULONG_PTR)%s_Traits, 0, 0, 0, 0, 0, 0, %u,\n\t",
		p->symbol, p->symbol, p->symbol, bits);
	write_name(out, p);
	fputs("EnableBits, ", out);
	write_name(out, p);
	fputs("Keywords, ", out);
	write_name(out, p);
	fputs("Levels };\n", out);
}

/*
 * Write the registration macro by the provider's name or by its symbol, for
 * programs written for newer or older compilers
 */
static void write_registration(FILE *out, const struct provider *p, bool by_name)
{
	const char *function = has_traits(p) ? "McGenEventRegisterContext" :
					       "McGenEventRegister";
	char *handle = NULL, *name = NULL;
	size_t len;
	FILE *text = open_memstream(&name, &len);

	if (!text)
		return;
	if (by_name)
		write_name(text, p);
	else
		fprintf(text, "_%s", p->symbol);
	fclose(text);
	if (asprintf(&handle, has_traits(p) ? "%s_Context" :
		     "%s_Context.RegistrationHandle", p->symbol) < 0)
		handle = NULL;
	fprintf(out, "#ifndef EventRegister%s\n#define EventRegister%s() \\\n"
		"\t%s(&%s%s, McGenControlCallbackV2, &%s_Context, &%s)\n"
		"#endif\n", name, name, function, p->symbol,
		p->has_control_guid ? "_ControlGuid" : "", p->symbol,
		handle ? handle : "");
	fprintf(out, "#ifndef EventRegisterByGuid%s\n"
		"#define EventRegisterByGuid%s(Guid) \\\n"
		"\t%s(&(Guid), McGenControlCallbackV2, &%s_Context, &%s)\n"
		"#endif\n", name, name, function, p->symbol,
		handle ? handle : "");
	fprintf(out, "#ifndef EventUnregister%s\n#define EventUnregister%s() \\\n"
		"\tMcGenEventUnregister(&%s_Context.RegistrationHandle)\n"
		"#endif\n", name, name, p->symbol);
	free(handle);
	free(name);
}

/* Parameters that no field has as its name */
#define CONTEXT		"pMcGenContext_"
#define ACTIVITY	"McGenActivity_"

/**
 * struct variant - a macro that writes an event
 * @name: end of its name
 * @for_context: the caller passes the context of the provider
 * @always: it does not check whether the event is enabled
 */
struct variant {
	const char *name;
	bool for_context;
	bool always;
};

static void write_event_macro(FILE *out, const struct mc *mc,
			      const struct provider *p, const struct event *e,
			      const char *symbol, const struct variant *v)
{
	bool activity = mc->kernel && !v->always;
	bool fields = e->template && e->template->top_level;

	fprintf(out, "#define %s%s%s(%s%s%s%s", mc->prefix, symbol, v->name,
		v->for_context ? CONTEXT : "",
		v->for_context && (activity || fields) ? ", " : "",
		activity ? ACTIVITY : "", activity && fields ? ", " : "");
	mc_parameters(out, e->template, symbol);
	fputs(") \\\n\t(", out);
	if (!v->always)
		fprintf(out, v->for_context ?
			"MCGEN_EVENT_ENABLED_FORCONTEXT(" CONTEXT ", %s) ? " :
			"MCGEN_EVENT_ENABLED(%s) ? ", symbol);
	mc_template_name(out, mc, e->template);
	if (v->for_context) {
		fputs("(&_mcgen_CheckContextType_", out);
		write_name(out, p);
		fputs("(" CONTEXT ")->Context", out);
	} else {
		fprintf(out, "(&%s_Context", p->symbol);
	}
	fprintf(out, ", &%s%s", symbol, !mc->kernel ? "" :
		activity ? ", " ACTIVITY : ", NULL");
	if (fields) {
		fputs(", ", out);
		mc_parameters(out, e->template, symbol);
	}
	fputs(v->always ? "))\n" : ") : 0)\n", out);
}

/* Define an event, unless an earlier provider has one of the same symbol */
static void write_event(FILE *out, const struct mc *mc,
			const struct manifest *m, const struct provider *p,
			const struct event *e)
{
	static const struct variant variants[] = {
		{ "", false, false },
		{ "_AssumeEnabled", false, true },
		{ "_ForContext", true, false },
		{ "_ForContextAssumeEnabled", true, true },
	};
	char *symbol = e->not_logged || mc_twin(m, p, e) ? NULL :
							   symbol_of(mc, p, e);

	if (!symbol)
		return;
	fprintf(out, "\n#define EventEnabled%s() MCGEN_EVENT_BIT_SET(", symbol);
	write_name(out, p);
	fprintf(out, "EnableBits, %u)\n", bit_of(p, e));
	fprintf(out, "#define EventEnabled%s_ForContext(" CONTEXT ") \\\n"
		"\tMCGEN_EVENT_BIT_SET(_mcgen_CheckContextType_", symbol);
	write_name(out, p);
	fprintf(out, "(" CONTEXT ")->EnableBits, %u)\n", bit_of(p, e));
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(variants); i++)
		write_event_macro(out, mc, p, e, symbol, &variants[i]);
	free(symbol);
}

/*
 * Write the type of a context that a program provides itself, for each of
 * several registrations of the provider, and its registration
 */
static void write_for_context(FILE *out, const struct provider *p)
{
	unsigned int bits = count_bits(p), size = bits ? bits : 1;
	char *name = NULL;
	size_t len;
	FILE *text = open_memstream(&name, &len);

	if (!text)
		return;
	write_name(text, p);
	fclose(text);
	fprintf(out, "#ifdef MCGEN_ENABLE_FORCONTEXT_CODE_GENERATION\n"
		"typedef struct tagMcGenContext_%s {\n"
		"\tMCGEN_TRACE_CONTEXT Context;\n\tULONG EnableBits[%u];\n"
		"} McGenContext_%s;\n", name, (size + 31) / 32, name);
	fprintf(out, "static inline McGenContext_%s *_mcgen_CheckContextType_%s(McGenContext_%s *pContext)\n"
		"{\n\treturn pContext;\n}\n", name, name, name);
	fprintf(out, "static inline ULONG _mcgen_RegisterForContext_%s(LPCGUID pProviderId,\n"
		"\tMcGenContext_%s *pContext)\n{\n"
		"\tmemset(pContext, 0, sizeof(*pContext));\n"
		"\tpContext->Context.Logger = (ULONG_PTR)%s_Traits;\n"
		"\tpContext->Context.EnableBitsCount = %u;\n"
		"\tpContext->Context.EnableBitMask = pContext->EnableBits;\n"
		"\tpContext->Context.EnableKeyWords = %sKeywords;\n"
		"\tpContext->Context.EnableLevel = %sLevels;\n"
		"\treturn %s(pProviderId, McGenControlCallbackV2,\n"
		"\t\t&pContext->Context, &pContext->Context%s);\n}\n",
		name, name, p->symbol, bits, name, name,
		has_traits(p) ? "McGenEventRegisterContext" :
				"McGenEventRegister",
		has_traits(p) ? "" : ".RegistrationHandle");
	fprintf(out, "#define EventRegister%s_ForContext(pContext) \\\n"
		"\t_mcgen_RegisterForContext_%s(&%s%s, pContext)\n"
		"#define EventRegisterByGuid%s_ForContext(Guid, pContext) \\\n"
		"\t_mcgen_RegisterForContext_%s(&(Guid), pContext)\n"
		"#define EventUnregister%s_ForContext(pContext) \\\n"
		"\tMcGenEventUnregister(&(pContext)->Context.RegistrationHandle)\n"
		"#define %sHandle_ForContext(pContext) ((pContext)->Context.RegistrationHandle)\n"
		"#endif\n", name, name, p->symbol,
		p->has_control_guid ? "_ControlGuid" : "", name, name, name,
		name);
	free(name);
}

static void write_provider(FILE *out, const struct mc *mc,
			   const struct manifest *m, const struct provider *p)
{
	fprintf(out, "\n/* Provider %s, %u events */\n", p->name,
		list_length(p->events));
	write_guid_constant(out, p->symbol, "", &p->guid);
	if (p->has_control_guid)
		write_guid_constant(out, p->symbol, "_ControlGuid",
				    &p->control_guid);
	write_traits(out, p);
	write_items(out, p);
	write_maps(out, p);
	write_descriptors(out, mc, m, p);
	fputs("\n#ifndef MCGEN_DISABLE_PROVIDER_CODE_GENERATION\n", out);
	write_context(out, p);
	fputs("#define ", out);
	write_name(out, p);
	fprintf(out, "Handle (%s_Context.RegistrationHandle)\n", p->symbol);
	fprintf(out, "#define %s_Handle (%s_Context.RegistrationHandle)\n"
		"#define %s_EventWriteActivity %d\n", p->symbol, p->symbol,
		p->symbol, mc->kernel);
	write_registration(out, p, true);
	write_registration(out, p, false);
	write_for_context(out, p);
	for (struct event *e = p->events; e; e = e->next)
		write_event(out, mc, m, p, e);
	fputs("#endif /* MCGEN_DISABLE_PROVIDER_CODE_GENERATION */\n", out);
}

const struct provider *mc_twin(const struct manifest *m,
			       const struct provider *p,
			       const struct event *event)
{
	const struct provider *other;

	for (other = m->providers; event->symbol && other != p;
	     other = other->next) {
		for (const struct event *e = other->events; e; e = e->next) {
			if (e->symbol && !strcmp(e->symbol, event->symbol))
				return other;
		}
	}
	return NULL;
}

void mc_header(FILE *out, const struct mc *mc, const struct manifest *m)
{
	fprintf(out, "/* Generated by evntmc from a manifest: change that instead. */\n"
		"#pragma once\n\n#include <evntmcgen.h>\n\n"
		"#if defined(__cplusplus)\nextern \"C\" {\n#endif\n");
	fputs("\n#ifndef MCGEN_DISABLE_PROVIDER_CODE_GENERATION\n", out);
	fputs("#ifndef MCGEN_EVENT_ENABLED_FORCONTEXT\n"
	      "#define MCGEN_EVENT_ENABLED_FORCONTEXT(pContext, EventName) \\\n"
	      "\tEventEnabled##EventName##_ForContext(pContext)\n#endif\n", out);
	mc_templates(out, mc, m);
	fputs("\n#endif /* MCGEN_DISABLE_PROVIDER_CODE_GENERATION */\n", out);
	for (struct provider *p = m->providers; p; p = p->next)
		write_provider(out, mc, m, p);
	fputs("\n/* Messages */\n", out);
	for (struct message *i = m->messages; i; i = i->next) {
		if (!i->id || i->number == NO_MESSAGE)
			continue;
		fputs("#define MSG_", out);
		mc_identifier(out, i->id);
		fprintf(out, " 0x%08XL\n", i->number);
	}
	fputs("\n#if defined(__cplusplus)\n}\n#endif\n", out);
}
