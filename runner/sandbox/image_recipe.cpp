#include "sandbox/image_recipe.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "model/errors.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

// Raised when the layer format itself changes, so that no old layer is taken for a new one.
constexpr int layer_format = 1;

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw InputError(path.string() + ": cannot be read");
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

void add_input(nlohmann::json& list, const fs::path& folder, const fs::path& file) {
    const bool executable = (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none;
    list.push_back({fs::relative(file, folder).string(), executable, sha256_hex(read_file(file))});
}

nlohmann::json input_digests(const ImageRecipe& recipe) {
    nlohmann::json list = nlohmann::json::array();
    const fs::path folder = recipe.folder;
    for (const std::string& input : recipe.inputs) {
        const fs::path path = folder / input;
        if (!fs::exists(path)) {
            throw InputError(recipe.folder + "/image.yaml: inputs: " + input + " does not exist");
        }
        if (!fs::is_directory(path)) {
            add_input(list, folder, path);
            continue;
        }
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(path)) {
            if (entry.is_regular_file()) {
                files.push_back(entry.path());
            }
        }
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            add_input(list, folder, file);
        }
    }
    return list;
}

std::map<std::string, std::string> text_map(const YAML::Node& node) {
    std::map<std::string, std::string> map;
    for (const auto& entry : node) {
        map[entry.first.as<std::string>()] = entry.second.as<std::string>();
    }
    return map;
}

ImageRecipe parse_recipe(const std::string& folder, const YAML::Node& root) {
    const std::set<std::string> known{"name", "parent", "layer",   "package_lock", "inputs",
                                      "env",  "user",   "workdir", "labels"};
    for (const auto& entry : root) {
        if (const auto key = entry.first.as<std::string>(); !known.contains(key)) {
            throw InputError(folder + "/image.yaml:" + std::to_string(entry.first.Mark().line + 1) + ": unknown key '" +
                             key + "'");
        }
    }
    ImageRecipe recipe;
    recipe.folder = folder;
    recipe.name = root["name"].as<std::string>();
    recipe.parent = root["parent"].as<std::string>("");
    recipe.layer = root["layer"].as<std::string>("");
    recipe.inputs = root["inputs"].as<std::vector<std::string>>();
    recipe.env = text_map(root["env"]);
    recipe.user = root["user"].as<std::string>("10001:10001");
    recipe.workdir = root["workdir"].as<std::string>("/home/agent");
    recipe.labels = text_map(root["labels"]);
    return recipe;
}

std::string folder_of(const ImageFolders& folders, const std::string& name) {
    std::string tried;
    for (const std::string& folder : folders) {
        if (fs::exists(folder + "/" + name + "/image.yaml")) {
            return folder + "/" + name;
        }
        tried += (tried.empty() ? "" : ", ") + folder;
    }
    throw InputError("no image '" + name + "': there is no " + name + "/image.yaml in " + tried);
}

// `children`: the images that stand on this one, so that a circle is found.
ImageRecipe read_with_parents(const ImageFolders& folders, const std::string& name, std::vector<std::string> children) {
    const std::string folder = folder_of(folders, name);
    const std::string file = folder + "/image.yaml";
    ImageRecipe recipe;
    try {
        recipe = parse_recipe(folder, YAML::Load(read_file(file)));
    } catch (const YAML::Exception& error) {
        throw InputError(file + ":" + std::to_string(error.mark.line + 1) + ": " + error.msg);
    }
    ImageRecipe parent;
    children.push_back(name);
    if (!recipe.parent.empty()) {
        if (std::find(children.begin(), children.end(), recipe.parent) != children.end()) {
            throw InputError(file + ": parent: " + recipe.parent + " stands on this image itself");
        }
        parent = read_with_parents(folders, recipe.parent, children);
        // A child runs in its parent's environment unless it says otherwise.
        recipe.env.insert(parent.env.begin(), parent.env.end());
    }
    recipe.key = json_sha256({{"format", layer_format},
                              {"name", recipe.name},
                              {"parent", parent.key},
                              {"env", recipe.env},
                              {"user", recipe.user},
                              {"workdir", recipe.workdir},
                              {"labels", recipe.labels},
                              {"inputs", input_digests(recipe)}});
    return recipe;
}

void visit(const ImageFolders& folders, const std::string& name, std::vector<std::string>& order) {
    if (std::find(order.begin(), order.end(), name) != order.end()) {
        return;
    }
    const ImageRecipe recipe = read_recipe(folders, name);
    if (!recipe.parent.empty()) {
        visit(folders, recipe.parent, order);
    }
    order.push_back(name);
}

}  // namespace

std::string ImageRecipe::tag() const {
    return "localhost/pasb/" + name + ":" + key.substr(0, 16);
}

ImageRecipe read_recipe(const ImageFolders& folders, const std::string& name) {
    return read_with_parents(folders, name, {});
}

std::vector<std::string> recipe_names(const ImageFolders& folders) {
    std::vector<std::string> found;
    for (const std::string& folder : folders) {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(folder, none)) {
            if (fs::exists(entry.path() / "image.yaml")) {
                found.push_back(entry.path().filename().string());
            }
        }
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string> order;
    for (const std::string& name : found) {
        visit(folders, name, order);
    }
    return order;
}

}  // namespace pasb
