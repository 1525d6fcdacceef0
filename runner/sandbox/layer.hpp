// Turns a staged folder into one image layer whose bytes are a function of the folder's content alone, and layers into
// an archive that every engine can load. No engine is needed here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sandbox/image_recipe.hpp"

namespace pasb {

// Numeric user of every agent; the owner of what lies below its home.
inline constexpr std::uint32_t agent_uid = 10001;
inline constexpr const char* agent_home = "/home/agent";

struct Layer {
    std::string file;     // uncompressed tar
    std::string diff_id;  // "sha256:..." of its bytes
};

// Sorted by path, times set to `epoch` (seconds since 1970), root-owned except below home/agent, never writable by
// group or others (but for sticky folders). Throws InputError for what an image must not hold (devices, sockets).
Layer pack_layer(const std::string& stage_folder, const std::string& tar_file, std::int64_t epoch);

// "sha256:..." of a file.
std::string file_digest(const std::string& file);

struct ImageConfig {
    std::string json;  // the image's configuration, canonical bytes
    std::string id;    // "sha256:..." of them: the image id in Docker and Podman alike
};

ImageConfig image_config(const ImageRecipe& recipe, const std::vector<Layer>& layers, std::int64_t epoch);

// A docker-archive (manifest.json, configuration, layers) for the engine's load call.
void write_image_archive(const std::string& file, const std::string& tag, const ImageConfig& config,
                         const std::vector<Layer>& layers);

}  // namespace pasb
