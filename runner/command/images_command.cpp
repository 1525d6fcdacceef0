#include <cstdio>
#include <map>

#include "agent/adapter_file.hpp"
#include "command/commands.hpp"
#include "command/stop_signal.hpp"
#include "model/errors.hpp"
#include "sandbox/baseline.hpp"
#include "sandbox/engine_finder.hpp"
#include "sandbox/image_builder.hpp"
#include "sandbox/leftovers.hpp"
#include "sandbox/runtime_folder.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;

class Images {
  public:
    Images(const CommonOptions& common, std::stop_token stop)
        : files_(common.also),
          deadline_(Deadline::after(2h, std::move(stop))),
          found_(find_engine(common.engine, runtime_.path(), deadline_)),
          builder_(files_.image_folders(), default_cache_folder(),
                   [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }) {
        for (const std::string& framework : files_.frameworks()) {
            Adapter adapter = load_adapter(files_.adapter_folder(framework));
            // Several adapters may share an image; the one named after it says what its paths are.
            if (!adapters_.contains(adapter.image) || adapter.framework == adapter.image) {
                adapters_[adapter.image] = adapter;
            }
        }
    }

    int build(const std::vector<std::string>& names) {
        for (const std::string& name : chosen(names)) {
            const BuiltImage image = builder_.ensure(*found_.engine, name, deadline_);
            std::printf("%-10s %s  %s  %s\n", name.c_str(), image.tag.c_str(), image.id.c_str(),
                        image.built ? "built" : "unchanged");
        }
        return exit_code::ok;
    }

    int list() {
        for (const ImageInfo& image : found_.engine->images("pasb.image", deadline_)) {
            for (const std::string& tag : image.tags) {
                std::printf("%s  %s  %lld MB\n", tag.c_str(), image.id.c_str(),
                            static_cast<long long>(image.size / 1'000'000));
            }
        }
        return exit_code::ok;
    }

    // Compares each framework's image with its committed baseline.
    int verify(const std::vector<std::string>& names) {
        int failed = 0;
        for (const auto& [image, adapter] : chosen_adapters(names)) {
            const std::string file = files_.baseline_file(image);
            const BaselineCheck check = check_baseline(read_baseline(file), observe(image, adapter));
            std::printf("%s %s\n", check.differences.empty() ? "pass" : "FAIL", image.c_str());
            for (const std::string& line : check.warnings) {
                std::printf("  warning: %s\n", line.c_str());
            }
            for (const std::string& line : check.differences) {
                std::printf("  %s\n", line.c_str());
            }
            failed += check.differences.empty() ? 0 : 1;
        }
        return failed > 0 ? exit_code::check_failed : exit_code::ok;
    }

    // Writes what the images hold now as their baselines.
    int freeze(const std::vector<std::string>& names) {
        for (const auto& [image, adapter] : chosen_adapters(names)) {
            const std::string file = files_.baseline_file(image);
            write_baseline(file, observe(image, adapter));
            std::printf("%s\n", file.c_str());
        }
        return exit_code::ok;
    }

  private:
    std::vector<std::string> chosen(const std::vector<std::string>& names) const {
        return names.empty() ? recipe_names(files_.image_folders()) : names;
    }

    std::map<std::string, Adapter> chosen_adapters(const std::vector<std::string>& names) const {
        std::map<std::string, Adapter> chosen_ones;
        for (const std::string& name : names) {
            const auto found = adapters_.find(name);
            if (found == adapters_.end()) {
                throw InputError("no adapter uses an image '" + name + "'");
            }
            chosen_ones.insert(*found);
        }
        return names.empty() ? adapters_ : chosen_ones;
    }

    Baseline observe(const std::string& name, const Adapter& adapter) {
        const BuiltImage built = builder_.ensure(*found_.engine, name, deadline_);
        const auto image = found_.engine->image(built.id, deadline_);
        return observe_image(*found_.engine, adapter, image.value(), runtime_.owner(), deadline_).baseline;
    }

    ProjectFiles files_;
    RuntimeFolder runtime_;
    Deadline deadline_;
    FoundEngine found_;
    ImageBuilder builder_;
    std::map<std::string, Adapter> adapters_;  // image -> adapter
};

}  // namespace

int images_command(ImagesAction action, const std::vector<std::string>& names, const CommonOptions& common) {
    const StopSignal stop;
    Images images(common, stop.token());
    switch (action) {
        case ImagesAction::build:
            return images.build(names);
        case ImagesAction::list:
            return images.list();
        case ImagesAction::verify:
            return images.verify(names);
        case ImagesAction::freeze:
            return images.freeze(names);
    }
    return exit_code::unexpected;
}

int clean_command(const CommonOptions& common, bool all) {
    const StopSignal stop;
    const RuntimeFolder runtime;
    const Deadline deadline = Deadline::after(10min, stop.token());
    const FoundEngine found = find_engine(common.engine, runtime.path(), deadline);
    for (const std::string& name : remove_leftovers(*found.engine, all, deadline)) {
        std::printf("removed %s\n", name.c_str());
    }
    return exit_code::ok;
}

}  // namespace pasb
