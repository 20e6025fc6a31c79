# Writes a C++ source with the text of every built-in model: cmake -DOUT=... -DDIR=... -P embed_models.cmake
set(text "// Generated from models/*.cat.\n#include \"model/library.h\"\n\nnamespace heddle::model {\n\n")
string(APPEND text "const std::vector<BuiltinModel>& builtinModels() {\n  static const std::vector<BuiltinModel> kModels = {\n")
foreach(name sc tso pso ra ra-msa rc11 mca mca-rr)
  file(READ ${DIR}/${name}.cat model)
  string(APPEND text "      {\"${name}\", R\"~cat~(${model})~cat~\"},\n")
endforeach()
string(APPEND text "  };\n  return kModels;\n}\n\n}  // namespace heddle::model\n")
file(WRITE ${OUT} "${text}")
