#include "sandbox/image_builder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "model/errors.hpp"
#include "net/process.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

// Every time stamp in an image: 2023-11-14T22:13:20Z.
constexpr std::int64_t source_date_epoch = 1'700'000'000;

// Two builders at once would do the same work twice and tread on each other's stage folders.
class FolderLock {
  public:
    explicit FolderLock(const std::string& folder)
        : file_(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        if (file_ < 0 || ::flock(file_, LOCK_EX) != 0) {
            throw InputError(folder + ": the image cache cannot be locked");
        }
    }
    ~FolderLock() { ::close(file_); }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int file_;
};

void run_or_explain(const Command& command, const Deadline& deadline, const std::string& log, const std::string& what) {
    const ProcessResult result = run_process(command, deadline, log);
    if (result.exit_code != 0) {
        const std::string tail = result.output.substr(result.output.size() > 1500 ? result.output.size() - 1500 : 0);
        throw InputError(what + " failed with exit code " + std::to_string(result.exit_code) +
                         " (whole output: " + log + "):\n" + tail);
    }
}

}  // namespace

std::string default_cache_folder() {
    const auto variable = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    if (const std::string folder = variable("PASB_CACHE"); !folder.empty()) {
        return folder;
    }
    if (const std::string folder = variable("XDG_CACHE_HOME"); !folder.empty()) {
        return folder + "/pasb";
    }
    return variable("HOME") + "/.cache/pasb";
}

ImageBuilder::ImageBuilder(ImageFolders folders, std::string cache_folder, Say say)
    : folders_(std::move(folders)), cache_folder_(std::move(cache_folder)), say_(std::move(say)) {
    fs::create_directories(cache_folder_ + "/layers");
    fs::create_directories(cache_folder_ + "/downloads");
}

BuiltImage ImageBuilder::ensure(const Engine& engine, const std::string& name, const Deadline& deadline) {
    const ImageRecipe recipe = read_recipe(folders_, name);
    BuiltImage image{name, recipe.tag(), {}, {}, false};
    if (const auto there = engine.image(image.tag, deadline)) {
        image.id = there->id;
        image.layers = there->layers;
        return image;
    }
    const FolderLock lock(cache_folder_);
    const std::vector<Layer> layers = layers_of(recipe, deadline);
    const ImageConfig config = image_config(recipe, layers, source_date_epoch);
    const std::string archive = cache_folder_ + "/load-" + name + ".tar";
    say_("loading image " + image.tag + " into " + engine.quirks().name);
    write_image_archive(archive, image.tag, config, layers);
    engine.load_image(archive, deadline);
    fs::remove(archive);
    const auto loaded = engine.image(image.tag, deadline);
    if (!loaded || loaded->id != config.id) {
        throw EngineError(
            EngineError::Kind::broken, 0,
            image.tag + ": the engine loaded " + (loaded ? loaded->id : "nothing") + ", built was " + config.id);
    }
    image.id = loaded->id;
    image.layers = loaded->layers;
    image.built = true;
    return image;
}

std::vector<Layer> ImageBuilder::layers_of(const ImageRecipe& recipe, const Deadline& deadline) {
    std::vector<Layer> layers;
    if (!recipe.parent.empty()) {
        layers = layers_of(read_recipe(folders_, recipe.parent), deadline);
    }
    layers.push_back(ensure_layer(recipe, deadline));
    return layers;
}

Layer ImageBuilder::ensure_layer(const ImageRecipe& recipe, const Deadline& deadline) {
    const std::string file = cache_folder_ + "/layers/" + recipe.name + "-" + recipe.key.substr(0, 16) + ".tar";
    if (fs::exists(file)) {
        return {file, file_digest(file)};
    }
    say_("building image layer " + recipe.name + " (" + recipe.folder + "/stage)");
    const std::string stage = cache_folder_ + "/stage-" + recipe.name;
    fs::remove_all(stage);
    fs::create_directories(stage);
    run_stage(recipe, stage, deadline);
    // Under another name until it is whole: a killed build must not leave half a layer under its key.
    const std::string partial = file + ".partial";
    Layer layer;
    if (recipe.layer.empty()) {
        layer = pack_layer(stage, partial, source_date_epoch);
    } else {
        fs::rename(stage + "/" + recipe.layer, partial);
        layer = {partial, file_digest(partial)};
    }
    fs::rename(partial, file);
    fs::remove_all(stage);
    layer.file = file;
    return layer;
}

void ImageBuilder::run_stage(const ImageRecipe& recipe, const std::string& stage, const Deadline& deadline) {
    Command command;
    command.argv = {fs::absolute(recipe.folder + "/stage").string()};
    command.folder = recipe.folder;
    command.env = {{"STAGE", stage},
                   {"CACHE", cache_folder_ + "/downloads"},
                   {"SOURCE_DATE_EPOCH", std::to_string(source_date_epoch)},
                   {"LC_ALL", "C.UTF-8"}};
    if (!recipe.parent.empty()) {
        command.env["PARENT"] = unpacked_parent(read_recipe(folders_, recipe.parent), deadline);
    }
    run_or_explain(command, deadline, cache_folder_ + "/" + recipe.name + ".log", recipe.folder + "/stage");
}

// The parent's root file system as a folder, for stage scripts that run its programs.
std::string ImageBuilder::unpacked_parent(const ImageRecipe& parent, const Deadline& deadline) {
    const std::string folder = cache_folder_ + "/rootfs-" + parent.name + "-" + parent.key.substr(0, 16);
    if (fs::exists(folder)) {
        return folder;
    }
    const Layer layer = ensure_layer(parent, deadline);
    const std::string partial = folder + ".partial";
    fs::remove_all(partial);
    fs::create_directories(partial);
    run_or_explain({{"tar", "--extract", "--file", layer.file, "--directory", partial, "--exclude=./dev/*"}, {}, {}},
                   deadline, cache_folder_ + "/" + parent.name + ".log", "unpacking the image " + parent.name);
    fs::rename(partial, folder);
    return folder;
}

}  // namespace pasb
