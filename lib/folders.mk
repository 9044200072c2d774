# SPDX-License-Identifier: MIT
# The library's folders, from low to high as in scripts/layers
LIB_FOLDERS := base ring provider private write control consume relog
