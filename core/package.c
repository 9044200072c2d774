// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Package and application of a process, derived from the path of its cgroup.
 */
#include "core/package.h"

/* Substring of a path, not nul-terminated */
struct package_part {
	const char *text;
	u32 len;
};

static bool ends_with(struct package_part p, const char *suffix)
{
	u32 len = strlen(suffix);

	return p.len > len && !memcmp(p.text + p.len - len, suffix, len);
}

/* Strip a prefix; return false if it is not there */
static bool skip(struct package_part *p, const char *prefix)
{
	u32 len = strlen(prefix);

	if (p->len < len || memcmp(p->text, prefix, len))
		return false;
	p->text += len;
	p->len -= len;
	return true;
}

/* Return the length up to the first @c, or all of it */
static u32 len_before(struct package_part p, char c)
{
	const char *end = memchr(p.text, c, p.len);

	return end ? (u32)(end - p.text) : p.len;
}

/* Find the innermost component that is a systemd service or scope */
static bool find_unit(struct package_part *unit, const char *cgroup)
{
	const char *end = cgroup + strlen(cgroup), *start;

	for (; end > cgroup; end = start - (start > cgroup)) {
		start = end;
		while (start > cgroup && start[-1] != '/')
			start--;
		*unit = (struct package_part) { start, end - start };
		if (ends_with(*unit, ".service") || ends_with(*unit, ".scope"))
			return unit->len < EVNT_PACKAGE_NAME;
	}
	return false;
}

static void put_name(char *to, struct package_part name)
{
	memcpy(to, name.text, name.len);
	to[name.len] = 0;
}

#define UUID_LEN	36u

static bool is_uuid(const char *text)
{
	u32 i;

	for (i = 0; i < UUID_LEN; i++) {
		if (i == 8 || i == 13 || i == 18 || i == 23) {
			if (text[i] != '-')
				return false;
		} else if (!memchr("0123456789abcdef", text[i], 16)) {
			return false;
		}
	}
	return true;
}

/* snap.SNAP.APP.service, snap.SNAP.APP-UUID.scope, snap.SNAP.APP.UUID.scope */
static bool parse_snap(struct evnt_package *p, struct package_part unit)
{
	struct package_part app, snap = unit;

	snap.len = len_before(unit, '.');
	if (!snap.len || snap.len == unit.len)
		return false;
	app.text = unit.text + snap.len + 1;
	app.len = unit.len - snap.len - 1;
	app.len = len_before(app, '.');
	if (app.len > UUID_LEN + 1 &&
	    app.text[app.len - UUID_LEN - 1] == '-' &&
	    is_uuid(app.text + app.len - UUID_LEN))
		app.len -= UUID_LEN + 1;
	if (!app.len)
		return false;
	put_name(p->id, snap);
	unit.len = snap.len + 1 + app.len;
	put_name(p->app, unit);
	return true;
}

/* Undo systemd's escaping: only "-" is ever escaped in application ids */
static void put_unescaped(char *to, struct package_part name)
{
	while (name.len) {
		if (skip(&name, "\\x2d")) {
			*to++ = '-';
		} else {
			*to++ = *name.text++;
			name.len--;
		}
	}
	*to = 0;
}

/* app-flatpak-ID-NUMBER.scope */
static bool parse_flatpak(struct evnt_package *p, struct package_part unit)
{
	unit.len = len_before(unit, '-');
	put_unescaped(p->id, unit);
	put_unescaped(p->app, unit);
	return unit.len;
}

/**
 * evnt_package_parse() - derive package and application from a cgroup
 * @p: filled in
 * @cgroup: path of the cgroup
 *
 * Return: false if the cgroup belongs to no package.
 */
bool evnt_package_parse(struct evnt_package *p, const char *cgroup)
{
	struct package_part unit, rest;

	if (!find_unit(&unit, cgroup))
		return false;
	rest = unit;
	if (skip(&rest, "snap.") && parse_snap(p, rest))
		return true;
	rest = unit;
	if (skip(&rest, "app-flatpak-") && parse_flatpak(p, rest))
		return true;
	put_name(p->id, unit);
	put_name(p->app, unit);
	return true;
}
