// SPDX-License-Identifier: MIT
/* --manifest: loads a manifest given by the user */
#include <evnttdh.h>

#include "tools/events/manifest_option.h"

/* Number of problems that are printed; evntmc(1) prints more */
#define MAX_PRINTED	10

static VOID WINAPI report_problem(const EVNT_MANIFEST_PROBLEM *problem,
				  PVOID context)
{
	unsigned int *count = context;

	if (++*count > MAX_PRINTED)
		return;
	if (problem->Line)
		failed("%s:%u:%u: %s", problem->File, problem->Line,
		       problem->Column, problem->Text);
	else
		failed("%s: %s", problem->File, problem->Text);
}

/* --manifest: loads a manifest into TDH */
static int take_manifest(const struct option_value *v)
{
	const char *path = v->text;
	unsigned int problems = 0;

	switch (EvntLoadManifest(path, report_problem, &problems)) {
	case ERROR_SUCCESS:
		if (problems)
			note("%s: %u problem%s: the rest of the manifest is used",
			     path, problems, problems == 1 ? "" : "s");
		return EVNT_DONE;
	case ERROR_FILE_CORRUPT:
		return failed("the compiled manifest '%s' is malformed", path);
	case ERROR_RESOURCE_TYPE_NOT_FOUND:
		return failed("'%s' contains no manifest", path);
	case ERROR_XML_PARSE_ERROR:
	case ERROR_FILE_TOO_LARGE:
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

const struct option_row record_manifest_rows[] = {
	OPTION_ROW("manifest", 0, "FILE",
		   "manifest that defines the fields; the folders of the system are"
		   " searched without this option", 0, take_manifest),
	{}
};

const struct option_row manifest_rows[] = {
	OPTION_ROW("manifest", 0, "FILE",
		   "decode events with FILE, a manifest, MOF classes, a TMF or a PDB file;"
		   " manifests in /etc/evntprov/manifests, /usr/share/evntprov/manifests, and in"
		   " programs named by a log, are used without this option", 0,
		   take_manifest),
	{}
};
