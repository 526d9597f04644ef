// Files committed together, and detection of the kind of an existing file before it is replaced.

#include "base/file/file_set.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/error.h"
#include "base/file/file_kind.h"
#include "base/file/same_file.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(FileSet, RestoresReplacedFilesWhenALaterOneFails) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "table.csv") << "earlier";
  std::filesystem::permissions(folder / "table.csv", std::filesystem::perms(0640));
  FileSet files;
  files.add_text(folder / "table.csv", "new");
  files.add_text(folder / "map.json", "{}");
  files.add_text(folder / "last", "3");
  std::filesystem::create_directory(folder / "last");  // blocks the rename
  EXPECT_THROW(files.commit(), RunError);
  EXPECT_EQ(content_of(folder / "table.csv"), "earlier");
  EXPECT_EQ(std::filesystem::status(folder / "table.csv").permissions(),
            std::filesystem::perms(0640));
  EXPECT_FALSE(std::filesystem::exists(folder / "map.json"));
}

TEST(FileSet, ReplacesSeveralFiles) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "one") << "earlier";
  {
    FileSet files;
    files.add_text(folder / "one", "1");
    files.add_text(folder / "two", "2");
    files.commit();
  }
  EXPECT_EQ(content_of(folder / "one"), "1");
  EXPECT_EQ(content_of(folder / "two"), "2");
  const std::filesystem::directory_iterator entries(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 2) << "nothing is left beside them";
}

TEST(FileSet, CommitNewReplacesNoFile) {
  const test::TemporaryFolder folder;
  FileSet files;
  files.add_text(folder / "first", "1");
  files.add_text(folder / "mission.toml", "mine");
  std::ofstream(folder / "mission.toml") << "another process's";
  EXPECT_THROW(files.commit_new(), InputError);
  EXPECT_EQ(content_of(folder / "mission.toml"), "another process's");
  EXPECT_FALSE(std::filesystem::exists(folder / "first"));
}

TEST(SameFile, ResolvesLinksAndOtherNames) {
  const test::TemporaryFolder folder;
  namespace fs = std::filesystem;
  fs::create_directory(folder / "real");
  fs::create_directory_symlink(folder / "real", folder / "link");
  EXPECT_TRUE(same_file(folder / "real" / "new.csv", folder / "link" / "new.csv"));
  EXPECT_TRUE(same_file(folder / "real" / "new.csv", folder / "link" / ".." / "real" / "new.csv"));
  EXPECT_FALSE(same_file(folder / "real" / "new.csv", folder / "real" / "other.csv"));
  std::ofstream(folder / "a") << "1";
  fs::create_hard_link(folder / "a", folder / "b");
  fs::create_symlink(folder / "a", folder / "c");
  EXPECT_TRUE(same_file(folder / "a", folder / "b"));
  EXPECT_TRUE(same_file(folder / "c", folder / "b"));
  EXPECT_FALSE(same_file("", folder / "a"));
}

TEST(FileKind, DependsOnContentOnly) {
  const test::TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  };
  const FileKind map = geojson_kind();
  EXPECT_TRUE(map.fits(write("a", "{\"type\": \"FeatureCollection\", \"features\": []}")));
  EXPECT_TRUE(map.fits(write("b", "{\"features\": [" + std::string(100'000, ' ') +
                                      "], \"type\": \"FeatureCollection\"}")));
  EXPECT_FALSE(map.fits(write("c", "{\"type\": \"Feature\"}")));
  EXPECT_FALSE(map.fits(write("d", std::string("\0 \"FeatureCollection\"", 22)))) << "no text";
  const FileKind xml = text_beginning_with("decision process (XML)", "<");
  EXPECT_TRUE(xml.fits(write("e", "\xEF\xBB\xBF \n<mdp>")));
  EXPECT_FALSE(xml.fits(write("f", "[vehicle] # <")));
  EXPECT_TRUE(kind_beginning_with("policy on board", "TWPOLICY").fits(write("g", "TWPOLICY\1")));
  EXPECT_FALSE(kind_beginning_with("policy on board", "TWPOLICY").fits(write("h", " TWPOLICY")));
}

}  // namespace
}  // namespace tidewise
