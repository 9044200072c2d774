// SPDX-License-Identifier: MIT
/*
 * evntmc: generates the functions that write the fields of events.
 *
 * Templates with the same types of fields share a function. The function's name
 * encodes the types: a letter for each field, in upper case for arrays,
 * followed by a constant length or count, or by r and R with the number of the
 * argument that contains the length and the count.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evntmc/mc.h"

/**
 * struct template_kind - how a field of a type is passed
 * @letter: letter in the names of functions
 * @type: type in C
 * @by: passing convention
 */
static const struct template_kind {
	char letter;
	const char *type;
	enum {
		BY_VALUE,
		BY_POINTER,	/* a single value of fixed size */
		BY_TEXT,	/* nul-terminated, or with a length */
		BY_COUNTED,	/* passed and written with its size */
		BY_SID,
		BY_BYTES,
	} by;
} kinds[] = {
	[TDH_INTYPE_UNICODESTRING] = { 'z', "WCHAR", BY_TEXT },
	[TDH_INTYPE_ANSISTRING] = { 's', "char", BY_TEXT },
	[TDH_INTYPE_INT8] = { 'c', "char", BY_VALUE },
	[TDH_INTYPE_UINT8] = { 'u', "UCHAR", BY_VALUE },
	[TDH_INTYPE_INT16] = { 'l', "short", BY_VALUE },
	[TDH_INTYPE_UINT16] = { 'h', "USHORT", BY_VALUE },
	[TDH_INTYPE_INT32] = { 'd', "LONG", BY_VALUE },
	[TDH_INTYPE_UINT32] = { 'q', "ULONG", BY_VALUE },
	[TDH_INTYPE_INT64] = { 'i', "LONGLONG", BY_VALUE },
	[TDH_INTYPE_UINT64] = { 'x', "ULONGLONG", BY_VALUE },
	[TDH_INTYPE_FLOAT] = { 'f', "float", BY_VALUE },
	[TDH_INTYPE_DOUBLE] = { 'g', "double", BY_VALUE },
	[TDH_INTYPE_BOOLEAN] = { 't', "LONG", BY_VALUE },
	[TDH_INTYPE_BINARY] = { 'b', "UCHAR", BY_BYTES },
	[TDH_INTYPE_GUID] = { 'j', "GUID", BY_POINTER },
	[TDH_INTYPE_POINTER] = { 'p', "void *", BY_VALUE },
	[TDH_INTYPE_FILETIME] = { 'm', "FILETIME", BY_POINTER },
	[TDH_INTYPE_SYSTEMTIME] = { 'y', "SYSTEMTIME", BY_POINTER },
	[TDH_INTYPE_SID] = { 'k', "void", BY_SID },
	[TDH_INTYPE_HEXINT32] = { 'd', "LONG", BY_VALUE },
	[TDH_INTYPE_HEXINT64] = { 'i', "LONGLONG", BY_VALUE },
	[TDH_INTYPE_MANIFEST_COUNTEDSTRING] = { 'w', "WCHAR", BY_COUNTED },
	[TDH_INTYPE_MANIFEST_COUNTEDANSISTRING] = { 'a', "char", BY_COUNTED },
	[TDH_INTYPE_MANIFEST_COUNTEDBINARY] = { 'e', "UCHAR", BY_COUNTED },
};

static const struct template_kind *kind_of(const struct property *p)
{
	return &kinds[p->in];
}

static bool is_array(const struct property *p)
{
	return p->flags & (PropertyParamCount | PropertyParamFixedCount) &&
	       (p->flags & PropertyParamCount || p->count > 1);
}

static bool has_length(const struct property *p)
{
	return p->flags & (PropertyParamLength | PropertyParamFixedLength);
}

/*
 * Return whether a field is passed as bytes with their size, as only the caller
 * knows their layout
 */
static bool is_blob(const struct property *p)
{
	if (p->flags & PropertyStruct)
		return true;
	switch (kind_of(p)->by) {
	case BY_TEXT:
		return is_array(p) && !has_length(p);
	case BY_SID:
	case BY_COUNTED:
		return is_array(p);
	default:
		return false;
	}
}

static bool wants_size(const struct property *p)
{
	return is_blob(p) || kind_of(p)->by == BY_COUNTED;
}

static bool is_sized(const struct property *p)
{
	return kind_of(p)->by == BY_TEXT || kind_of(p)->by == BY_BYTES;
}

/*
 * Return the length of a field; 16, the length of an IPv6 address, if the
 * manifest has none
 */
static unsigned int length_of(const struct property *p)
{
	return has_length(p) ? p->length : 16;
}

static void name_size(FILE *out, const struct property *p)
{
	unsigned int number = 1;

	if (is_sized(p) && (has_length(p) || kind_of(p)->by == BY_BYTES) &&
	    !(p->flags & PropertyParamLength))
		number *= length_of(p);
	if (is_array(p) && !(p->flags & PropertyParamCount))
		number *= p->count;
	if (number != 1 || (is_sized(p) && has_length(p) &&
			    !(p->flags & PropertyParamLength)))
		fprintf(out, "%u", number);
	if (is_sized(p) && p->flags & PropertyParamLength)
		fprintf(out, "r%u", p->length);
	if (p->flags & PropertyParamCount)
		fprintf(out, "R%u", p->count);
}

void mc_template_name(FILE *out, const struct mc *mc, const struct template *t)
{
	fputs(mc->kernel ? "McTemplateK0" : "McTemplateU0", out);
	for (unsigned int i = 0; t && i < t->top_level; i++) {
		const struct property *p = &t->properties[i];
		char letter = p->flags & PropertyStruct ? 'n' :
			      kind_of(p)->letter;

		fputc(is_array(p) ? toupper(letter) : letter, out);
		if (!is_blob(p))
			name_size(out, p);
		else if (is_array(p))
			fputc('R', out);
	}
}

void mc_identifier(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(isalnum((unsigned char)*text) ? *text : '_', out);
}

/*
 * Return whether a field's name is already used by another field, or by
 * @not_this
 */
static bool is_taken(const struct template *t, unsigned int i,
		     const char *not_this)
{
	const char *name = t->properties[i].name;

	if (not_this && !strcmp(name, not_this))
		return true;
	for (unsigned int k = 0; k < i; k++) {
		const char *other = t->properties[k].name;
		size_t at = 0;

		while (name[at] && other[at] &&
		       (isalnum((unsigned char)name[at]) ? name[at] : '_') ==
		       (isalnum((unsigned char)other[at]) ? other[at] : '_'))
			at++;
		if (!name[at] && !other[at])
			return true;
	}
	return false;
}

static void parameter(FILE *out, const struct template *t, unsigned int i,
		      const char *not_this)
{
	const char *name = t->properties[i].name;

	if (isdigit((unsigned char)*name))
		fputc('_', out);
	mc_identifier(out, name);
	if (is_taken(t, i, not_this))
		fprintf(out, "_%u", i);
}

/* Write the parameters, separated by commas */
void mc_parameters(FILE *out, const struct template *t, const char *not_this)
{
	for (unsigned int i = 0; t && i < t->top_level; i++) {
		if (i)
			fputs(", ", out);
		if (wants_size(&t->properties[i])) {
			parameter(out, t, i, not_this);
			fputs("_Len_, ", out);
		}
		parameter(out, t, i, not_this);
	}
}

static void declare(FILE *out, const struct property *p, unsigned int i)
{
	const struct template_kind *kind = kind_of(p);

	if (p->flags & PropertyStruct) {
		fprintf(out, ",\n\tULONG _Arg%u_Len_, const void *_Arg%u", i,
			i);
		return;
	}
	if (wants_size(p))
		fprintf(out, ",\n\t%s _Arg%u_Len_",
			is_array(p) ? "ULONG" : "USHORT", i);
	if (kind->by == BY_VALUE && p->in == TDH_INTYPE_POINTER)
		fprintf(out, is_array(p) ? ",\n\tconst void *const *_Arg%u" :
					   ",\n\tconst void *_Arg%u", i);
	else if (kind->by == BY_VALUE && !is_array(p))
		fprintf(out, ",\n\t%s _Arg%u", kind->type, i);
	else
		fprintf(out, ",\n\tconst %s *_Arg%u", kind->type, i);
}

/* Write the number of elements of a field as factors of its size */
static void factors(FILE *out, const struct property *p)
{
	if (is_sized(p) && p->flags & PropertyParamLength)
		fprintf(out, " * (ULONG)_Arg%u", p->length);
	else if (is_sized(p))
		fprintf(out, " * %uu", length_of(p));
	if (p->flags & PropertyParamCount)
		fprintf(out, " * (ULONG)_Arg%u", p->count);
	else if (is_array(p))
		fprintf(out, " * %uu", p->count);
}

static void describe(FILE *out, const struct property *p, unsigned int i,
		     unsigned int *slot)
{
	const struct template_kind *kind = kind_of(p);
	bool simple = !is_array(p);
	bool wide = !(p->flags & PropertyStruct) &&
		    (p->in == TDH_INTYPE_UNICODESTRING ||
		     p->in == TDH_INTYPE_MANIFEST_COUNTEDSTRING);

	if (is_blob(p)) {
		fprintf(out, "\tEventDataDescCreate(&EventData[%u], _Arg%u,"
			" %s_Arg%u_Len_);\n", (*slot)++, i,
			wide ? "(ULONG)sizeof(WCHAR) * " : "", i);
		return;
	}
	if (kind->by == BY_COUNTED) {
		fprintf(out, "\tUSHORT _Size%u = (USHORT)(%s_Arg%u_Len_);\n\n",
			i, wide ? "sizeof(WCHAR) * " : "", i);
		fprintf(out, "\tEventDataDescCreate(&EventData[%u], &_Size%u,"
			" sizeof(_Size%u));\n", (*slot)++, i, i);
		fprintf(out, "\tEventDataDescCreate(&EventData[%u], _Arg%u,"
			" _Size%u);\n", (*slot)++, i, i);
		return;
	}
	if (simple && kind->by == BY_TEXT && !has_length(p)) {
		fprintf(out, "\tEvntMcDesc%s(&EventData[%u], _Arg%u);\n",
			kind->letter == 'z' ? "Wide" : "Narrow", (*slot)++, i);
		return;
	}
	if (kind->by == BY_SID) {
		fprintf(out, "\tEvntMcDescSid(&EventData[%u], _Arg%u);\n",
			(*slot)++, i);
		return;
	}
	fprintf(out, "\tEventDataDescCreate(&EventData[%u], %s_Arg%u, (ULONG)sizeof(%s)",
		(*slot)++, simple && kind->by == BY_VALUE ? "&" : "", i,
		kind->type);
	factors(out, p);
	fputs(");\n", out);
}

static void write_template(FILE *out, const struct mc *mc,
			   const struct template *t)
{
	unsigned int slots = 1, slot = 1;

	/* A data descriptor for the traits, and two for a counted field */
	for (unsigned int i = 0; t && i < t->top_level; i++) {
		const struct property *p = &t->properties[i];

		slots += 1 + (!is_blob(p) && kind_of(p)->by == BY_COUNTED);
	}
	fputs("\n#ifndef ", out);
	mc_template_name(out, mc, t);
	fputs("_def\n#define ", out);
	mc_template_name(out, mc, t);
	fputs("_def\nstatic inline ULONG ", out);
	mc_template_name(out, mc, t);
	fputs("(\n\tPMCGEN_TRACE_CONTEXT Context, PCEVENT_DESCRIPTOR Descriptor",
	      out);
	if (mc->kernel)
		fputs(",\n\tLPCGUID Activity", out);
	for (unsigned int i = 0; t && i < t->top_level; i++)
		declare(out, &t->properties[i], i);
	fprintf(out, ")\n{\n\tEVENT_DATA_DESCRIPTOR EventData[%u];\n", slots);
	for (unsigned int i = 0; t && i < t->top_level; i++)
		describe(out, &t->properties[i], i, &slot);
	fprintf(out, "\treturn McGenEventWrite(Context, Descriptor, %s, %u, EventData);\n}\n#endif\n",
		mc->kernel ? "Activity" : "NULL", slots);
}

/*
 * Templates with the same types have the same function name; guards in the
 * header remove duplicates
 */
void mc_templates(FILE *out, const struct mc *mc, const struct manifest *m)
{
	for (const struct provider *p = m->providers; p; p = p->next) {
		for (const struct event *e = p->events; e; e = e->next) {
			if (!e->not_logged)
				write_template(out, mc, e->template);
		}
	}
}
