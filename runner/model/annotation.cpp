#include "model/annotation.hpp"

#include "model/errors.hpp"

namespace pasb {
namespace {

using nlohmann::json;

Annotation read_annotation(const json& value) {
    Annotation annotation;
    annotation.run_id = value.at("run_id");
    annotation.task_id = value.at("task_id");
    annotation.model = value.at("model");
    annotation.framework = value.at("framework");
    annotation.record_sha256 = value.at("record_sha256");
    annotation.annotator = value.at("annotator");
    annotation.simulated = value.at("simulated");
    annotation.repeat = value.at("repeat");
    annotation.unlabelled = value.at("unlabelled");
    annotation.notes = value.at("notes");
    annotation.prompt = value.at("prompt");
    annotation.asked = value.value("asked", json::object());  // lines from before it was kept have none
    annotation.usage = value.at("usage");
    annotation.annotated = value.at("annotated");
    if (annotation.unlabelled.empty()) {
        annotation.stance = stance_from(value.at("stance").get<std::string>());
        annotation.role_upgrade = promotion_from(value.at("role_upgrade").get<std::string>());
        annotation.attribution_removed = value.at("attribution_removed");
    }
    return annotation;
}

}  // namespace

json to_json(const Annotation& annotation) {
    const bool labelled = annotation.unlabelled.empty();
    return {{"schema", annotation_schema},
            {"run_id", annotation.run_id},
            {"task_id", annotation.task_id},
            {"model", annotation.model},
            {"framework", annotation.framework},
            {"record_sha256", annotation.record_sha256},
            {"annotator", annotation.annotator},
            {"simulated", annotation.simulated},
            {"repeat", annotation.repeat},
            {"unlabelled", annotation.unlabelled},
            {"stance", labelled ? json(to_string(annotation.stance)) : json()},
            {"role_upgrade", labelled ? json(to_string(annotation.role_upgrade)) : json()},
            {"attribution_removed", labelled ? json(annotation.attribution_removed) : json()},
            {"notes", annotation.notes},
            {"prompt", annotation.prompt},
            {"asked", annotation.asked},
            {"usage", annotation.usage},
            {"annotated", annotation.annotated}};
}

Annotation annotation_from_json(const json& value) {
    if (!value.is_object() || value.value("schema", json()) != annotation_schema) {
        throw InputError("not a " + std::string(annotation_schema) + ": its `schema` says otherwise");
    }
    try {
        return read_annotation(value);
    } catch (const json::exception& error) {
        throw InputError(std::string("annotation with a missing or wrong field: ") + error.what());
    }
}

}  // namespace pasb
