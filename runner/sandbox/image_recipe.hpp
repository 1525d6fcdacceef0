// What images/<name>/image.yaml says about an image, and the key that its inputs give it. Building is image_builder.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace pasb {

struct ImageRecipe {
    std::string name;
    std::string parent;  // name of the image below; empty for the base
    std::string folder;  // images/<name>
    std::string layer;   // a file in the stage folder that is the layer already (the base's root file system); empty:
                         // pack the stage folder
    std::vector<std::string> inputs;  // relative to folder; everything that decides the layer's content
    std::map<std::string, std::string> env;
    std::string user;
    std::string workdir;
    std::map<std::string, std::string> labels;
    std::string key;  // SHA-256 over recipe, inputs (path, executable bit, content) and the parent's key

    [[nodiscard]] std::string tag() const;  // "localhost/pasb/<name>:<first 16 digits of key>"
};

// Folders that hold images/<name>, in order of search.
using ImageFolders = std::vector<std::string>;

// Reads the first <folder>/<name>/image.yaml with its parents' keys. Throws InputError.
ImageRecipe read_recipe(const ImageFolders& folders, const std::string& name);

// Names of all images, parents first.
std::vector<std::string> recipe_names(const ImageFolders& folders);

}  // namespace pasb
