// SPDX-License-Identifier: MIT
/* Tokens of the Managed Object Format. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "tdh/mof.h"

static void advance(struct mof *mof, size_t len)
{
	while (len--) {
		/* Continuation bytes of UTF-8 do not count as columns */
		if (*mof->next == '\n') {
			mof->at.line++;
			mof->at.column = 1;
		} else if ((*mof->next & 0xc0) != 0x80) {
			mof->at.column++;
		}
		mof->next++;
	}
}

/* Skip spaces, comments, and directives such as #pragma */
static bool skip_space(struct mof *mof)
{
	const char *end;

	for (;;) {
		advance(mof, strspn(mof->next, " \t\r\n\f\v"));
		if (*mof->next == '#' ||
		    (*mof->next == '/' && mof->next[1] == '/')) {
			advance(mof, strcspn(mof->next, "\n"));
			continue;
		}
		if (*mof->next != '/' || mof->next[1] != '*')
			return true;
		end = strstr(mof->next + 2, "*/");
		if (!end)
			return mof_refuse(mof, &mof->at,
					  "the comment is not closed");
		advance(mof, end + 2 - mof->next);
	}
}

/* Decode the escape sequence after a backslash, and store its length */
static char escaped(const char *text, size_t *len)
{
	static const char letters[] = "btnfr", meant[] = "\b\t\n\f\r";
	const char *letter = *text ? strchr(letters, *text) : NULL;

	*len = *text ? 1 : 0;
	return letter ? meant[letter - letters] : *text;
}

static bool read_piece(struct mof *mof, struct bytes *b)
{
	struct mof_place place = mof->at;
	size_t len;

	advance(mof, 1);
	while (*mof->next != '"') {
		if (!*mof->next || *mof->next == '\n')
			return mof_refuse(mof, &place,
					  "the quote is not closed");
		if (*mof->next == '\\') {
			advance(mof, 1);
			bytes_add_u8(b, escaped(mof->next, &len));
			advance(mof, len);
		} else {
			bytes_add_u8(b, *mof->next);
			advance(mof, 1);
		}
	}
	advance(mof, 1);
	return true;
}

/* Read adjacent quoted strings as one text */
static bool read_text(struct mof *mof, struct mof_token *token)
{
	struct bytes b = { 0 };
	bool done;

	do
		done = read_piece(mof, &b) && skip_space(mof);
	while (done && *mof->next == '"');
	token->kind = MOF_TEXT;
	token->text = arena_text(&mof->manifest->arena,
				 b.data ? (char *)b.data : "", b.len);
	bytes_free(&b);
	return done;
}

static bool read_number(struct mof *mof, struct mof_token *token)
{
	const char *digits = mof->next + strspn(mof->next, "+-");
	bool hex = digits[0] == '0' && (digits[1] | 0x20) == 'x';
	char *end;

	errno = 0;
	token->kind = MOF_NUMBER;
	token->number = hex && *mof->next != '-' ?
			(long long)strtoull(mof->next, &end, 16) :
			strtoll(mof->next, &end, hex ? 16 : 10);
	/* Skip a fractional part, which no qualifier of events uses */
	if (*end == '.')
		end += 1 + strspn(end + 1, "0123456789eE");
	if (errno || end == mof->next || isalnum((unsigned char)*end))
		return mof_refuse(mof, &token->place, "this is no number");
	advance(mof, end - mof->next);
	return true;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c & 0x80;
}

bool mof_token(struct mof *mof, struct mof_token *token)
{
	size_t len = 0;
	char c;

	if (!skip_space(mof))
		return false;
	c = *mof->next;
	token->place = mof->at;
	token->text = "";
	if (c == '"')
		return read_text(mof, token);
	if (isdigit((unsigned char)c) || c == '-' || c == '+')
		return read_number(mof, token);
	if (is_name(c)) {
		while (is_name(mof->next[len]))
			len++;
		token->kind = MOF_NAME;
		token->text = arena_text(&mof->manifest->arena, mof->next, len);
		advance(mof, len);
	} else {
		token->kind = c ? (unsigned char)c : MOF_END;
		advance(mof, c ? 1 : 0);
	}
	return !mof->manifest->arena.failed;
}
