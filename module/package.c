// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The package and application that a process is of, by the name of its cgroup.
 */
#include "package.h"

/* A part of a path */
struct part {
	const char *text;
	u32 len;
};

static bool ends_with(struct part p, const char *suffix)
{
	u32 len = strlen(suffix);

	return p.len > len && !memcmp(p.text + p.len - len, suffix, len);
}

/* Take a beginning away */
static bool skip(struct part *p, const char *prefix)
{
	u32 len = strlen(prefix);

	if (p->len < len || memcmp(p->text, prefix, len))
		return false;
	p->text += len;
	p->len -= len;
	return true;
}

/* The length up to a character, or all */
static u32 len_before(struct part p, char c)
{
	const char *end = memchr(p.text, c, p.len);

	return end ? (u32)(end - p.text) : p.len;
}

/* The innermost folder that is a systemd unit with processes */
static bool find_unit(struct part *unit, const char *cgroup)
{
	const char *end = cgroup + strlen(cgroup), *start;

	for (; end > cgroup; end = start - (start > cgroup)) {
		start = end;
		while (start > cgroup && start[-1] != '/')
			start--;
		*unit = (struct part) { start, end - start };
		if (ends_with(*unit, ".service") || ends_with(*unit, ".scope"))
			return unit->len < EVNT_PACKAGE_NAME;
	}
	return false;
}

static void put_name(char *to, struct part name)
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
static bool parse_snap(struct evnt_package *p, struct part unit)
{
	struct part app, snap = unit;

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

/* Without systemd's escapes: of these an application's id has "-" only */
static void put_unescaped(char *to, struct part name)
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
static bool parse_flatpak(struct evnt_package *p, struct part unit)
{
	unit.len = len_before(unit, '-');
	put_unescaped(p->id, unit);
	put_unescaped(p->app, unit);
	return unit.len;
}

/**
 * evnt_package_parse() - the package and application of a cgroup
 * @p: filled in
 * @cgroup: its path
 *
 * Return: whether it is of any.
 */
bool evnt_package_parse(struct evnt_package *p, const char *cgroup)
{
	struct part unit, rest;

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
