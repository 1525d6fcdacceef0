#include "sandbox/layer.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/errors.hpp"
#include "wire/archive.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = 256U << 10U;

// Reads a file piece by piece for a tar writer or a digest.
class FilePieces {
  public:
    explicit FilePieces(const std::string& path) : file_(path, std::ios::binary), piece_(piece_bytes, '\0') {
        if (!file_) {
            throw InputError(path + ": cannot be read");
        }
    }
    std::string_view next() {
        file_.read(piece_.data(), static_cast<std::streamsize>(piece_.size()));
        return {piece_.data(), static_cast<std::size_t>(file_.gcount())};
    }

  private:
    std::ifstream file_;
    std::string piece_;
};

// Writes to a file and knows the digest of what it wrote.
class DigestedFile {
  public:
    explicit DigestedFile(const std::string& path) : path_(path), file_(path, std::ios::binary | std::ios::trunc) {}
    void write(std::string_view piece) {
        file_.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        digest_.add(piece);
    }
    std::string close() {
        file_.close();
        if (!file_) {
            throw InputError(path_ + ": cannot be written: is the disk full?");
        }
        return "sha256:" + digest_.hex();
    }

  private:
    std::string path_;
    std::ofstream file_;
    Sha256 digest_;
};

bool below_home(const std::string& path) {
    const std::string home = std::string(agent_home).substr(1);
    return path == home || path.rfind(home + "/", 0) == 0;
}

TarEntry entry_of(const fs::path& stage, const fs::path& file, std::int64_t epoch) {
    struct stat info {};
    if (::lstat(file.c_str(), &info) != 0) {
        throw InputError(file.string() + ": cannot be read");
    }
    TarEntry entry;
    entry.path = fs::relative(file.parent_path(), stage) / file.filename();
    if (entry.path.rfind("./", 0) == 0) {
        entry.path = entry.path.substr(2);
    }
    entry.mtime = epoch;
    const bool sticky = (info.st_mode & S_ISVTX) != 0;
    entry.mode = static_cast<std::uint32_t>(info.st_mode & (sticky ? 07777U : 07755U));
    entry.uid = entry.gid = below_home(entry.path) ? agent_uid : 0;
    if (S_ISDIR(info.st_mode)) {
        entry.type = FileType::directory;
    } else if (S_ISLNK(info.st_mode)) {
        entry.type = FileType::symlink;
        entry.mode = 0777;
        entry.link_target = fs::read_symlink(file);
    } else if (!S_ISREG(info.st_mode)) {
        throw InputError(file.string() + ": an image layer can hold files, folders and symbolic links only");
    }
    return entry;
}

std::string iso_time(std::int64_t epoch) {
    const std::time_t time = epoch;
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    std::string text(20, '\0');
    std::strftime(text.data(), text.size() + 1, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

void add_file(TarWriter& tar, const std::string& name, const std::string& path) {
    FilePieces pieces(path);
    TarEntry entry;
    entry.path = name;
    tar.add(entry, fs::file_size(path), [&pieces] { return pieces.next(); });
}

void add_text(TarWriter& tar, const std::string& name, const std::string& text) {
    TarEntry entry;
    entry.path = name;
    entry.content = text;
    tar.add(entry);
}

std::string layer_name(const Layer& layer) {
    return layer.diff_id.substr(layer.diff_id.find(':') + 1) + ".tar";
}

}  // namespace

Layer pack_layer(const std::string& stage_folder, const std::string& tar_file, std::int64_t epoch) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(stage_folder)) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    DigestedFile out(tar_file);
    TarWriter tar([&out](std::string_view piece) { out.write(piece); });
    for (const fs::path& file : files) {
        const TarEntry entry = entry_of(stage_folder, file, epoch);
        if (entry.type == FileType::regular) {
            FilePieces pieces(file.string());
            tar.add(entry, fs::file_size(file), [&pieces] { return pieces.next(); });
        } else {
            tar.add(entry);
        }
    }
    tar.finish();
    return {tar_file, out.close()};
}

std::string file_digest(const std::string& file) {
    FilePieces pieces(file);
    Sha256 digest;
    for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
        digest.add(piece);
    }
    return "sha256:" + digest.hex();
}

ImageConfig image_config(const ImageRecipe& recipe, const std::vector<Layer>& layers, std::int64_t epoch) {
    using nlohmann::json;
    json env = json::array();
    for (const auto& [name, value] : recipe.env) {
        env.push_back(name + "=" + value);
    }
    json diff_ids = json::array();
    json history = json::array();
    for (const Layer& layer : layers) {
        diff_ids.push_back(layer.diff_id);
        history.push_back({{"created", iso_time(epoch)}, {"created_by", "pasb images build"}});
    }
    std::map<std::string, std::string> labels = recipe.labels;
    labels["pasb.image"] = recipe.name;
    const json config{
        {"architecture", "amd64"},
        {"os", "linux"},
        {"created", iso_time(epoch)},
        {"config", {{"Env", env}, {"User", recipe.user}, {"WorkingDir", recipe.workdir}, {"Labels", labels}}},
        {"rootfs", {{"type", "layers"}, {"diff_ids", diff_ids}}},
        {"history", history},
    };
    ImageConfig result;
    result.json = config.dump();
    result.id = "sha256:" + sha256_hex(result.json);
    return result;
}

void write_image_archive(const std::string& file, const std::string& tag, const ImageConfig& config,
                         const std::vector<Layer>& layers) {
    DigestedFile out(file);
    TarWriter tar([&out](std::string_view piece) { out.write(piece); });
    const std::string config_name = config.id.substr(config.id.find(':') + 1) + ".json";
    nlohmann::json names = nlohmann::json::array();
    for (const Layer& layer : layers) {
        names.push_back(layer_name(layer));
    }
    const nlohmann::json manifest = {{{"Config", config_name}, {"RepoTags", {tag}}, {"Layers", names}}};
    add_text(tar, config_name, config.json);
    for (const Layer& layer : layers) {
        add_file(tar, layer_name(layer), layer.file);
    }
    add_text(tar, "manifest.json", manifest.dump());
    tar.finish();
    out.close();
}

}  // namespace pasb
