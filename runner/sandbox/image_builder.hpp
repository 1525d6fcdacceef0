// Builds images from their recipes without a container registry and loads them into an engine. What was built once is
// kept in a cache folder by its content key and never built again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sandbox/engine.hpp"
#include "sandbox/image_recipe.hpp"
#include "sandbox/layer.hpp"

namespace pasb {

struct BuiltImage {
    std::string name;
    std::string tag;
    std::string id;
    std::vector<std::string> layers;  // diff ids, lowest first
    bool built = false;               // false: it was there already
};

class ImageBuilder {
  public:
    using Say = std::function<void(const std::string& line)>;

    // `cache_folder` is created when missing.
    ImageBuilder(ImageFolders folders, std::string cache_folder, Say say);

    // Makes sure that the engine has the image for the recipe as it stands. Throws InputError (a stage script failed;
    // the message has the end of its output) and EngineError.
    BuiltImage ensure(const Engine& engine, const std::string& name, const Deadline& deadline);

  private:
    Layer ensure_layer(const ImageRecipe& recipe, const Deadline& deadline);
    void run_stage(const ImageRecipe& recipe, const std::string& stage, const Deadline& deadline);
    std::string unpacked_parent(const ImageRecipe& parent, const Deadline& deadline);
    std::vector<Layer> layers_of(const ImageRecipe& recipe, const Deadline& deadline);

    ImageFolders folders_;
    std::string cache_folder_;
    Say say_;
};

// $PASB_CACHE, else $XDG_CACHE_HOME/pasb, else ~/.cache/pasb.
std::string default_cache_folder();

}  // namespace pasb
