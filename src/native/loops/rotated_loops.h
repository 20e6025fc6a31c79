// Loops that test first, turned so that they test last (loop rotation, thesis 7.2.4).
//
//     while (y.load() == 0) v = x.load();        ==>        if (y.load() == 0) do v = x.load(); while (y.load() == 0);
//     use(v);                                               use(v);
//
// As it stands, v is a value that the loop carries round: the header hands it on to the way out. So an iteration that has
// read another value than the one before it counts as a change, though nobody who goes round looks at v before it is
// read anew. In the turned loop the header is what comes after the test, and there v is nothing yet. The same goes for
// a value that does nothing but decide whether to go on:
//
//     v = x.load(relaxed);                                  v = x.load(relaxed);
//     while (v < n) v = x.load(acquire);         ==>        if (v < n) do v = x.load(acquire); while (v < n);
//
// The test is written twice and executed as often as before, so this is the same program whatever the loop does. It is done
// where it helps: some value that the header receives is used by nobody in the loop but the test. What the test reads must
// be of no use to the rest of the loop, as it would then be carried round itself.
#pragma once

#include "native/pipeline.h"

namespace llvm {
class Function;
}

namespace heddle::native {

void rotateLoops(llvm::Function& function, const BuildOptions& options);

}  // namespace heddle::native
