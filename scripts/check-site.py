#!/usr/bin/python3
"""Does every link within the site lead somewhere? Files and, in pages, the places that are named after `#`.

check-site.py FOLDER.
"""
import html.parser
import pathlib
import sys
import urllib.parse

site = pathlib.Path(sys.argv[1]).resolve()


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], {""}
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.places.add(value)
            if name in ("href", "src") and value and tag != "link":
                self.links.append(value)


pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
complaints = []
for path, page in pages.items():
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if target.is_dir() and (target / "index.html").exists():
            target = target / "index.html"
        if target in pages:
            if parts.fragment and urllib.parse.unquote(parts.fragment) not in pages[target].places:
                complaints.append(f"{path.relative_to(site)}: {link}: no such place in the page")
        elif not target.exists():
            complaints.append(f"{path.relative_to(site)}: {link}: no such file")
print("\n".join(sorted(set(complaints))))
print(f"{len(pages)} pages, {len(set(complaints))} dead links")
sys.exit(1 if complaints else 0)
