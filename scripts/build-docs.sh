#!/bin/sh
# Builds the site, build/docs/site, from the pages of the repository, and checks it for links that lead nowhere. The pages keep their
# places, and so do the files that they refer to, so that links between them need no change. The pages of the gallery are made, and its
# pictures become links to them.
set -eu
cd "$(dirname "$0")/.."
rm -rf build/docs
mkdir -p build/docs/pages
cp -r README.md CHANGELOG.md CONTRIBUTING.md LICENSE docs examples models src build/docs/pages/
scripts/make-gallery.sh build/heddle build/docs/pages/docs/gallery
sed -i 's|^!\(\[.*\](gallery/\([a-z-]*\)\.png)\)$|[!\1](gallery/\2.html)|' build/docs/pages/docs/gallery.md
mkdocs build --quiet --strict
scripts/check-site.py build/docs/site
