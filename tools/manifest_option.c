// SPDX-License-Identifier: MIT
/* --manifest: a manifest that a user names. */
#include <evnttdh.h>

#include "evnt.h"
#include "manifest_option.h"

static VOID WINAPI tell_problem(const EVNT_MANIFEST_PROBLEM *problem,
				PVOID context)
{
	(void)context;
	if (problem->Line)
		failed("%s:%u:%u: %s", problem->File, problem->Line,
		       problem->Column, problem->Text);
	else
		failed("%s: %s", problem->File, problem->Text);
}

int load_manifest(const char *path)
{
	switch (EvntLoadManifest(path, tell_problem, NULL)) {
	case ERROR_SUCCESS:
		return EVNT_DONE;
	case ERROR_XML_PARSE_ERROR:
		return EVNT_FAILED;
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
		return failed("there is no manifest '%s'", path);
	case ERROR_ACCESS_DENIED:
		return failed("no permission to read the manifest '%s'", path);
	default:
		return failed("cannot read the manifest '%s'", path);
	}
}
