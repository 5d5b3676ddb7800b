#!/usr/bin/env python3
"""Shows SARIF of check and crash in the viewer that Azure DevOps has, in a real browser.

usage: sarifviewer.py [--screenshots DIR]      (build first: make)

The viewer is the npm package @microsoft/sarif-web-component, bundled by esbuild in a scratch folder; the browser is
headless Chromium, as in browser.py. Of examples/parcel, the viewer must show as many warnings and crashes as the
documents have, by kind. Exit status 1 if it does not.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from browser import Browser, root

APP = """import * as React from "react";
import * as ReactDOM from "react-dom";
import { Viewer } from "@microsoft/sarif-web-component";
const log = JSON.parse(document.getElementById("log").textContent);
ReactDOM.render(<Viewer logs={[log]} showSuppression filterState={{}} />, document.getElementById("root"));
"""
LOADERS = [f"--loader:.{e}=dataurl" for e in ("woff", "woff2", "ttf", "png", "svg")] + ["--loader:.scss=empty"]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--screenshots", type=pathlib.Path)
    a = ap.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="dsd-sarif-") as top:
        top = pathlib.Path(top)
        run = lambda *cmd, **more: subprocess.run([str(c) for c in cmd], cwd=top, capture_output=True, text=True, **more)
        (top / "package.json").write_text("{}")
        (top / "app.jsx").write_text(APP)
        run("npm", "install", "--ignore-scripts", "@microsoft/sarif-web-component@0.6.0-29", "react@16", "react-dom@16", "esbuild@0.28",
            check=True)
        run("node", "node_modules/esbuild/install.js", check=True)
        run("npx", "esbuild", "app.jsx", "--bundle", "--outfile=app.js", '--define:process.env.NODE_ENV="production"', *LOADERS, check=True)
        parcel = root / "examples/parcel"
        run(root / "bin/check", "-C", parcel, "-o", "w.json", "./...")
        run(root / "bin/crash", "confirm", "-C", parcel, "-o", "c.json", "w.json")
        logs = {"warnings": run(root / "bin/check", "-C", parcel, "--format", "sarif", "./...").stdout,
                "crashes": run(root / "bin/crash", "report", "-C", parcel, "--format", "sarif", "c.json").stdout}
        b = Browser()
        try:
            for name, text in logs.items():
                results = json.loads(text)["runs"][0]["results"]
                (top / f"{name}.html").write_text(
                    '<!DOCTYPE html><html><head><meta charset="utf-8"><link rel="stylesheet" href="app.css"></head>'
                    '<body style="height:900px"><div id="root" style="height:100%"></div><script type="application/json" id="log">'
                    + text.replace("<", "\\u003c") + '</script><script src="app.js"></script></body></html>')
                b.open((top / f"{name}.html").as_uri())
                kinds = {r["ruleId"] for r in results}
                shown = b.wait("const t = document.body.innerText; return arguments.length === 0 && "
                               + " && ".join(f"t.includes('{k}')" for k in sorted(kinds)), 10)
                said = b.js("return document.body.innerText")
                if a.screenshots:
                    a.screenshots.mkdir(exist_ok=True)
                    b.screenshot(a.screenshots / f"sarif-{name}.png")
                ok = shown and len(results) > 3 and f"\n{len(results)}\n" in said
                print(f"{name}: {len(results)} results of {len(kinds)} kinds, {'shown' if ok else 'not shown as they should be'}")
                if not ok:
                    bad += 1
                    print(said[:500])
        finally:
            b.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
