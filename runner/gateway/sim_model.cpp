#include "gateway/sim_model.hpp"
namespace pasb { std::vector<std::string> sim_model_names(){return {};} std::optional<SimKind> sim_kind_from(std::string_view){return {};} Answer SimModel::complete(const ChatRequest&, const Deadline&, const StreamSink&){return {};} }
