# Writes a C++ source with a file's text as a constant of a namespace, which a header declares:
# cmake -DFILE=... -DOUT=... -DHEADER=... -DNAMESPACE=... -DNAME=... -P embed_text.cmake
file(READ ${FILE} text)
# A string literal has at most 65,536 characters in standard C++; parts of one are joined by the compiler.
set(parts "")
string(LENGTH "${text}" length)
foreach(begin RANGE 0 ${length} 8192)
  string(SUBSTRING "${text}" ${begin} 8192 part)
  string(APPEND parts "\n  R\"~text~(${part})~text~\"")
endforeach()
get_filename_component(file ${FILE} NAME)
file(WRITE ${OUT} "// Generated from ${file}.\n#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n"
                  "const char* const ${NAME} =${parts};\n\n}  // namespace ${NAMESPACE}\n")
