"""heddle_test: a C or C++ program that heddle checks, from its `main` on.

heddle is taken from the path, or from --action_env=PATH. Files are compiled as seen from the root of the workspace.
"""

def _heddle_test_impl(ctx):
    words = ["heddle", "check", "--progress", "off"]
    if not ctx.attr.unroll:
        words += ["--require", "verified"]
    else:
        words += ["--unroll", str(ctx.attr.unroll)]
    if ctx.attr.model:
        words += ["--model", ctx.attr.model]
    words += ctx.attr.options
    words += [file.short_path for file in ctx.files.srcs]
    words += ["--", "-I."] + ["-D" + name for name in ctx.attr.defines] + ctx.attr.copts
    script = "#!/bin/sh\nexport XDG_CACHE_HOME=\"$TEST_TMPDIR\"\n"
    command = " ".join(["'" + word + "'" for word in words])
    if ctx.attr.expect_error:
        script += command + "\ntest $? -eq 1\n"
    else:
        script += "exec " + command + "\n"
    ctx.actions.write(ctx.outputs.executable, script, is_executable = True)
    return [DefaultInfo(runfiles = ctx.runfiles(files = ctx.files.srcs + ctx.files.hdrs))]

heddle_test = rule(
    implementation = _heddle_test_impl,
    test = True,
    attrs = {
        "srcs": attr.label_list(allow_files = True, mandatory = True),
        "hdrs": attr.label_list(allow_files = True),
        "model": attr.string(),
        "unroll": attr.int(),
        "options": attr.string_list(),
        "defines": attr.string_list(),
        "copts": attr.string_list(),
        "expect_error": attr.bool(),
    },
)
