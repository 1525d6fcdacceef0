// Where adapters, images, baselines, configs and tasks are looked for.
#pragma once

#include <string>
#include <vector>

namespace pasb {

class ProjectFiles {
  public:
    // The project's own folder ($PASB_ROOT, else the nearest folder above the program or the working folder that has
    // adapters/ and images/), then `more`, in order: a further framework lives in a folder laid out alike. Throws
    // InputError.
    explicit ProjectFiles(const std::vector<std::string>& more);

    [[nodiscard]] const std::string& root() const { return roots_.front(); }
    [[nodiscard]] std::string adapter_folder(
        const std::string& framework) const;                                  // throws InputError listing what exists
    [[nodiscard]] std::string baseline_file(const std::string& image) const;  // where it is, or where it should be
    [[nodiscard]] std::vector<std::string> image_folders() const;
    [[nodiscard]] std::vector<std::string> frameworks() const;
    [[nodiscard]] std::string models_file() const { return root() + "/configs/models.yaml"; }
    [[nodiscard]] std::string published_file() const { return root() + "/configs/published.yaml"; }

  private:
    std::vector<std::string> roots_;
};

}  // namespace pasb
