// SPDX-License-Identifier: MIT
/* Reader of a file in the Managed Object Format: links its classes. */
#include <stdlib.h>
#include <strings.h>

#include "tdh/bytes.h"
#include "tdh/mof.h"

/* Maximum depth of derivation; no real class reaches it */
#define MAX_DEPTH	64

/* Link a class to its base, which other files may define */
static bool link_class(struct mof *mof, struct mof_class *class)
{
	const struct mof_class *up = class;
	const char *guid = mof_text(class->qualifiers, "Guid");
	struct mof_class *base = mof->manifest->classes;

	if (class->base_name) {
		while (base && !mof_is(base->name, class->base_name))
			base = base->next;
		class->base = base;
	}
	for (int depth = 0; up; up = up->base) {
		if (depth++ > MAX_DEPTH)
			return mof_refuse(mof, &class->place, "class '%s' is"
					  " derived from itself", class->name);
	}
	if (guid && !guid_parse(guid, &class->guid))
		return mof_refuse(mof, &class->place, "'%s' is no GUID: write {xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}",
				  guid);
	class->has_guid = guid;
	return true;
}

static struct item *new_item(struct mof *mof, const char *name,
			     const struct mof_value *number,
			     const struct mof_value *description)
{
	struct arena *arena = &mof->manifest->arena;
	struct item *item = arena_alloc(arena, sizeof(*item));

	if (!item)
		return NULL;
	item->name = name;
	item->value = number->text ? strtoull(number->text, NULL, 0) :
				     (u64)number->number;
	item->has_value = true;
	if (description && description->text)
		item->message = mof_message(mof, description->text);
	return item;
}

/*
 * Add items from a property whose Values are names and whose ValueMap are
 * numbers
 */
static void add_items(struct mof *mof, const struct mof_class *class,
		      const char *property, struct item **last)
{
	const struct mof_field *field = class->fields;
	const struct mof_qualifier *names, *numbers, *texts;
	const struct mof_value *name, *number, *text;

	while (field && !mof_is(field->name, property))
		field = field->next;
	if (!field)
		return;
	names = mof_qualifier(field->qualifiers, "Values");
	numbers = mof_qualifier(field->qualifiers, "ValueMap");
	texts = mof_qualifier(field->qualifiers, "ValueDescriptions");
	if (!names || !numbers)
		return;
	text = texts ? texts->values : NULL;
	for (name = names->values, number = numbers->values; name && number;
	     name = name->next, number = number->next) {
		if (name->text)
			*last = new_item(mof, name->text, number, text);
		last = *last ? &(*last)->next : last;
		text = text ? text->next : NULL;
	}
}

/* Find or create the provider of a class: its outermost class with a GUID */
static struct provider *provider_of(struct mof *mof, struct mof_class *class)
{
	struct mof_class *outer = NULL;
	struct provider *p;

	for (struct mof_class *up = class; up; up = up->base) {
		if (up->has_guid)
			outer = up;
	}
	if (!outer || outer->provider)
		return outer ? outer->provider : NULL;
	p = arena_alloc(&mof->manifest->arena, sizeof(*p));
	if (!p)
		return NULL;
	p->name = outer->name;
	p->guid = outer->guid;
	p->is_mof = true;
	add_items(mof, outer, "Level", &p->items[ITEM_LEVEL]);
	add_items(mof, outer, "Flags", &p->items[ITEM_KEYWORD]);
	manifest_add_provider(mof->manifest, p);
	outer->provider = p;
	return p;
}

static bool read_all(struct mof *mof)
{
	struct mof_class *class;

	if (!mof_classes(mof))
		return false;
	if (!mof->manifest->classes)
		return mof_refuse(mof, &mof->at, "there is no class in this"
				  " file");
	for (class = mof->manifest->classes; class; class = class->next) {
		if (!link_class(mof, class))
			return false;
	}
	for (class = mof->manifest->classes; class; class = class->next) {
		class->provider = provider_of(mof, class);
		if (!mof_qualifier(class->qualifiers, "EventType"))
			continue;
		if (!class->provider)
			return mof_refuse(mof, &class->place, "class '%s' has"
					  " an EventType, but neither it nor a"
					  " class that it is derived from has"
					  " a Guid", class->name);
		if (!mof_template(mof, class))
			return false;
	}
	return !mof->manifest->arena.failed;
}

bool is_mof(const u8 *data, size_t len)
{
	static const char *const words[] = {
		"[", "#pragma", "//", "/*", "class", "instance", "qualifier",
	};
	struct bytes b = { 0 };
	bool is = false;
	size_t at;

	/*
	 * The beginning suffices; a truncated character at its end does not
	 * matter
	 */
	if (!bytes_add_file(&b, data, len < 4096 ? len : 4096))
		return false;
	bytes_add_u8(&b, 0);
	at = b.failed ? 0 : strspn((char *)b.data, " \t\r\n");
	for (size_t i = 0; !b.failed && i < EVNT_ARRAY_SIZE(words); i++)
		is |= !strncasecmp((char *)b.data + at, words[i],
				   strlen(words[i]));
	bytes_free(&b);
	return is;
}

/* Maximum length of a file in bytes; no real file reaches it */
#define MAX_TEXT	(16u << 20)

struct manifest *mof_parse(const char *file, const void *data, size_t len,
			   problem_fn report, void *context)
{
	struct manifest *m = calloc(1, sizeof(*m));
	struct mof mof = {
		.manifest = m,
		.file = file,
		.at = { 1, 1 },
		.report = report,
		.context = context,
	};
	struct bytes b = { 0 };
	bool done = false;

	if (!m)
		return NULL;
	m->cultures[m->culture_count++] = "en-US";
	if (len > MAX_TEXT)
		mof_refuse(&mof, &mof.at, "the file is too large");
	else if (bytes_add_file(&b, data, len))
		bytes_add_u8(&b, 0);
	if (b.len && !b.failed) {
		mof.next = (char *)b.data;
		done = read_all(&mof);
	}
	bytes_free(&b);
	if (done)
		return m;
	manifest_free(m);
	return NULL;
}
