#include "run/project_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "model/errors.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

bool is_root(const fs::path& folder) {
    return fs::is_directory(folder / "adapters") && fs::is_directory(folder / "images");
}

std::string find_root() {
    if (const char* const given = std::getenv("PASB_ROOT"); given != nullptr && *given != '\0') {
        if (!is_root(given)) {
            throw InputError(std::string("PASB_ROOT=") + given + " has no adapters/ and images/ folders");
        }
        return given;
    }
    std::error_code none;
    for (const fs::path& start : {fs::read_symlink("/proc/self/exe", none).parent_path(), fs::current_path()}) {
        for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
            if (is_root(folder)) {
                return folder.string();
            }
            if (folder == folder.parent_path()) {
                break;
            }
        }
    }
    throw InputError("the project's folder was not found: set PASB_ROOT to the folder with adapters/ and images/");
}

}  // namespace

ProjectFiles::ProjectFiles(const std::vector<std::string>& more) : roots_{find_root()} {
    for (const std::string& folder : more) {
        if (!fs::is_directory(folder)) {
            throw InputError("--also " + folder + ": no such folder");
        }
        roots_.push_back(fs::absolute(folder).lexically_normal().string());
    }
}

std::string ProjectFiles::adapter_folder(const std::string& framework) const {
    for (const std::string& root : roots_) {
        if (fs::exists(root + "/adapters/" + framework + "/adapter.yaml")) {
            return root + "/adapters/" + framework;
        }
    }
    std::string known;
    for (const std::string& name : frameworks()) {
        known += (known.empty() ? "" : ", ") + name;
    }
    throw InputError("unknown framework '" + framework + "': use one of " + known);
}

std::string ProjectFiles::baseline_file(const std::string& image) const {
    for (const std::string& root : roots_) {
        if (fs::exists(root + "/images/" + image + "/image.yaml")) {
            return root + "/baselines/" + image + "/baseline.json";
        }
    }
    return root() + "/baselines/" + image + "/baseline.json";
}

std::vector<std::string> ProjectFiles::image_folders() const {
    std::vector<std::string> folders;
    for (const std::string& root : roots_) {
        folders.push_back(root + "/images");
    }
    return folders;
}

std::vector<std::string> ProjectFiles::frameworks() const {
    std::vector<std::string> names;
    for (const std::string& root : roots_) {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(root + "/adapters", none)) {
            if (fs::exists(entry.path() / "adapter.yaml")) {
                names.push_back(entry.path().filename().string());
            }
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace pasb
