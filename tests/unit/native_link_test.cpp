// Linking with library models: small ones made here, and the embedded ones.
#include <llvm/Bitcode/BitcodeWriter.h>

#include <deque>

#include "native/compile/link.h"
#include "unit/native_compile_helpers.h"

namespace heddle::native {
namespace {

class LinkTest : public CompileTest {
 protected:
  void addModel(const std::string& name, const std::string& text) {
    const auto model = compileText(name + ".cpp", text);
    std::string& bitcode = contents_.emplace_back();
    llvm::raw_string_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(*model.module, stream);
    stream.flush();
    names_.push_back(name);
  }

  CompiledProgram link(const std::string& text, const std::string& file = "program.cpp") {
    CompiledProgram program = compileText(file, text);
    std::vector<EmbeddedFile> models;
    for (std::size_t i = 0; i < names_.size(); ++i) models.push_back({names_[i], contents_[i]});
    linkLibrary(*program.module, models);
    expectVerified(*program.module);
    return program;
  }

  std::deque<std::string> contents_, names_;
};

bool isLibrary(const llvm::Module& module, const std::string& name) {
  const llvm::Function* function = module.getFunction(name);
  return function != nullptr && function->hasFnAttribute(kLibraryAttribute);
}

std::size_t definitions(const llvm::Module& module) {
  std::size_t count = 0;
  for (const llvm::Function& function : module) count += !function.isDeclaration();
  return count;
}

TEST_F(LinkTest, OnlyWhatIsNeededIsLinked) {
  addModel("m", "extern \"C\" int used(int x) { return x + 1; }\nextern \"C\" int unused() { return 2; }\nint state;\n");
  addModel("other", "extern \"C\" int elsewhere() { return 3; }\n");
  const auto program = link("extern \"C\" int used(int);\nint main() { return used(1); }\n");
  EXPECT_TRUE(isLibrary(*program.module, "used"));
  EXPECT_FALSE(isLibrary(*program.module, "main"));
  EXPECT_EQ(definitions(*program.module), 2u);
  EXPECT_EQ(program.module->getNamedValue("unused"), nullptr);
  EXPECT_EQ(program.module->getNamedValue("state"), nullptr);
}

TEST_F(LinkTest, ModelsMayNeedEachOtherBackAndForth) {
  addModel("a", "extern \"C\" int b1();\nstatic int count;\nextern \"C\" int a1() { return ++count + b1(); }\n"
                "extern \"C\" int a2() { return ++count; }\nextern \"C\" int a3() { return 3; }\n");
  addModel("b", "extern \"C\" int a2();\nextern \"C\" int b1() { return a2(); }\n");
  const auto program = link("extern \"C\" int a1();\nint main() { return a1(); }\n");
  for (const char* name : {"a1", "a2", "b1"}) EXPECT_TRUE(isLibrary(*program.module, name)) << name;
  EXPECT_EQ(program.module->getNamedValue("a3"), nullptr);
  // Both functions of the model count in one and the same variable.
  EXPECT_EQ(program.module->global_size(), 1u) << textOf(*program.module);
  const llvm::GlobalVariable& count = *program.module->global_begin();
  EXPECT_TRUE(count.hasInternalLinkage());
  EXPECT_TRUE(contains(bodyOf(*program.module, "a1"), "@" + count.getName().str()));
  EXPECT_TRUE(contains(bodyOf(*program.module, "a2"), "@" + count.getName().str()));
}

TEST_F(LinkTest, InitialisersOfAModelAreLinkedOnce) {
  addModel("a", "extern \"C\" int b1();\nstruct S { S(); int x; };\nstatic S s;\nextern \"C\" int seed() { return 4; }\n"
                "S::S() : x(seed()) {}\nextern \"C\" int a1() { return s.x + b1(); }\nextern \"C\" int a2() { return s.x; }\n");
  addModel("b", "extern \"C\" int a2();\nextern \"C\" int b1() { return a2(); }\n");
  const auto program =
      link("extern \"C\" int a1();\nstruct T { T() : y(1) {} int y; };\nT t;\nint main() { return a1() + t.y; }\n");
  const llvm::GlobalVariable* list = program.module->getGlobalVariable("llvm.global_ctors");
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(llvm::cast<llvm::ArrayType>(list->getValueType())->getNumElements(), 2u);  // the program's and the model's
}

TEST_F(LinkTest, AModelThatIsNotUsedInitialisesNothing) {
  addModel("a", "struct S { S(); int x; };\nS::S() : x(1) {}\nS s;\nextern \"C\" int a1() { return s.x; }\n");
  const auto program = link("int main() { return 0; }\n");
  EXPECT_EQ(program.module->getGlobalVariable("llvm.global_ctors"), nullptr);
  EXPECT_EQ(definitions(*program.module), 1u);
}

TEST_F(LinkTest, TheProgramsOwnDefinitionCounts) {
  addModel("m", "extern \"C\" int f() { return 1; }\nextern \"C\" int g() { return f(); }\n");
  const auto program = link("extern \"C\" int f() { return 2; }\nextern \"C\" int g();\nint main() { return f() + g(); }\n");
  EXPECT_TRUE(contains(bodyOf(*program.module, "f"), "ret i32 2"));
  EXPECT_FALSE(isLibrary(*program.module, "f"));
  EXPECT_TRUE(isLibrary(*program.module, "g"));
}

TEST_F(LinkTest, AStaticFunctionOfTheProgramIsNotTheLibrarys) {
  addModel("m", "extern \"C\" int f() { return 1; }\nextern \"C\" int g() { return f(); }\n");
  const auto program =
      link("int g(void);\nstatic int f(void) { return 2; }\nint main(void) { return f() + g(); }\n", "program.c");
  EXPECT_TRUE(contains(bodyOf(*program.module, "f"), "ret i32 1"));
  EXPECT_TRUE(isLibrary(*program.module, "f"));
}

TEST_F(LinkTest, VariablesClassesAndTemplates) {
  addModel("m", R"(
int table = 7;
thread_local int mine = 8;
class Widget { public: Widget(); virtual ~Widget(); virtual int size(); int n; };
Widget::Widget() : n(table) {}
Widget::~Widget() {}
int Widget::size() { return n + mine; }
template <typename T> T twice(T x) { return x + x; }
extern "C" int four() { return twice(2); }
)");
  const auto program = link(R"(
extern int table;
extern thread_local int mine;
class Widget { public: Widget(); virtual ~Widget(); virtual int size(); int n; };
template <typename T> T twice(T x) { return 2 * x; }
extern "C" int four();
int main() { Widget w; return w.size() + table + mine + twice(1) + four(); }
)");
  for (const char* name : {"table", "mine", "_ZTV6Widget"}) {
    const llvm::GlobalVariable* variable = program.module->getGlobalVariable(name);
    ASSERT_NE(variable, nullptr) << name;
    EXPECT_TRUE(variable->hasInitializer()) << name;
  }
  for (const char* name : {"_ZN6WidgetC1Ev", "_ZN6WidgetD1Ev", "_ZN6Widget4sizeEv", "four"})
    EXPECT_FALSE(program.module->getNamedValue(name)->isDeclaration()) << name;
  EXPECT_TRUE(contains(bodyOf(*program.module, "_Z5twiceIiET_S0_"), "mul"));  // the program's own
}

TEST_F(LinkTest, AModelReplacesAnInlineCopy) {
  addModel("m", "extern \"C\" int modelled() { return 1; }\n");
  const auto program = link("extern inline __attribute__((gnu_inline)) int modelled(void) { return 2; }\n"
                            "inline int own(void) { return 3; }\nint main(void) { return modelled() + own(); }\n",
                            "program.c");
  EXPECT_TRUE(contains(bodyOf(*program.module, "modelled"), "ret i32 1"));
  EXPECT_TRUE(contains(bodyOf(*program.module, "own"), "ret i32 3"));  // there is no other
}

TEST_F(LinkTest, ADeclarationWithoutAPrototypeIsEnough) {
  addModel("m", "extern \"C\" int nondet() { return 1; }\n");
  const auto program = link("int nondet();\nint main(void) { return nondet(); }\n", "program.c");
  EXPECT_TRUE(isLibrary(*program.module, "nondet"));
}

TEST_F(LinkTest, TheEmbeddedModelsFitTogether) {
  std::size_t linked = 0;
  for (const EmbeddedFile& model : libraryModules()) {
    SCOPED_TRACE(model.name);
    EXPECT_TRUE(model.contents.starts_with("BC\xc0\xde"));
    ++linked;
  }
  CompiledProgram program = compileText("a.c", R"(
#include <pthread.h>
#include <stdlib.h>
static void* run(void* p) { free(p); return 0; }
int main(void) {
  pthread_t t;
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_create(&t, 0, run, malloc(4));
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return pthread_join(t, 0);
}
)");
  linkLibrary(*program.module);
  expectVerified(*program.module);
  for (const char* name : {"pthread_create", "pthread_join", "pthread_mutex_lock", "malloc", "free"})
    EXPECT_TRUE(isLibrary(*program.module, name)) << name;
  EXPECT_TRUE(isLibrary(*program.module, "heddle_spawn"));
  EXPECT_GT(linked, 0u);
}

TEST_F(LinkTest, AProgramThatUsesNothingGetsNothing) {
  CompiledProgram program = compileText("a.c", "int main(void) { return 0; }\n");
  const std::string before = textOf(*program.module);
  linkLibrary(*program.module);
  EXPECT_EQ(textOf(*program.module), before);
}

}  // namespace
}  // namespace heddle::native
