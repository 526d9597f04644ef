#include <gmock/gmock.h>

#include "base/error.h"
#include "mdp/file/json.h"
#include "mdp/file/xml.h"

namespace tidewise::mdp {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A text that a reader must refuse, and what of its one line must be there.
struct Bad {
  const char* name;
  std::string text;
  const char* words;
};
std::string name_of(const testing::TestParamInfo<Bad>& bad) { return bad.param.name; }

template <class Read>
void expect_refused(const Bad& bad, const char* file, const Read& read) {
  ByteStream bytes(bad.text, file);
  try {
    read(bytes);
    FAIL() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), StartsWith(std::string(file) + ": "));
    EXPECT_THAT(error.what(), HasSubstr(bad.words));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
    EXPECT_LT(std::string(error.what()).size(), 400u);
  }
}

class BadJson : public testing::TestWithParam<Bad> {};
TEST_P(BadJson, IsRefusedByItsPath) {
  expect_refused(GetParam(), "m.json",
                 [](ByteStream& bytes) { read_json_process<double>(bytes, {}); });
}

/// Two states, one action, but for `p` and `more`.
std::string with(const std::string& p, const std::string& more = "") {
  return R"({"S":2,"A":1,"P":)" + p + more + "}";
}
const std::string good = R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,1]})";

INSTANTIATE_TEST_SUITE_P(
    All, BadJson,
    testing::Values(
        Bad{"empty", "", "line 1, column 1"}, Bad{"blank", "  \n ", "unexpected end of input"},
        Bad{"text", "hello", "line 1, column 1"}, Bad{"array", "[]", "is an array, and must be an"},
        Bad{"number", "3", "is a number"}, Bad{"nothing", "{}", "lacks the key \"S\""},
        Bad{"no_actions", R"({"S":2,"P":)" + good + "}", "lacks the key \"A\""},
        Bad{"no_p", R"({"S":2,"A":1})", "lacks the key \"P\""},
        Bad{"truncated", R"({"S":2,"A":1,"P":{"indptr":[0,1)", "unexpected end of input"},
        Bad{"after", with(good) + "x", "line 1"},
        Bad{"unknown", with(good, R"(,"Q":1)"), "Q: is no known key"},
        Bad{"line_break", with(good, ",\"a\\nb\":1"), "a?b: is no known key"},
        Bad{"unknown_within", with(R"({"indptr":[0],"rows":[]})"), "P.rows: is no known key"},
        Bad{"twice", with(good, R"(,"S":2)"), "S: is there twice"},
        Bad{"twice_within", with(R"({"data":[],"data":[]})"), "P.data: is there twice"},
        Bad{"lacks_data", with(R"({"indptr":[0,1,2],"indices":[1,1]})"), "P: lacks \"data\""},
        Bad{"p_array", with("[1]"), "P: is an array, and must be an object"},
        Bad{"p_number", with("1"), "P: is a number, and must be an object"},
        Bad{"s_text", R"({"S":"2"})", "S: is a text, and must be a number"},
        Bad{"s_array", R"({"S":[2]})", "S: is an array, and must be a number"},
        Bad{"s_null", R"({"S":null})", "S: is null"},
        Bad{"s_zero", R"({"S":0})", "S: is 0; give an"},
        Bad{"s_below", R"({"S":-4})", "S: is -4; give an integer from 1"},
        Bad{"s_half", R"({"S":2.5})", "S: is 2.5; give an integer"},
        Bad{"s_vast", R"({"S":99999999999})", "S: is 99999999999; give"},
        Bad{"s_vaster", R"({"S":99999999999999999999999})", "S: is 1e+23; give an integer"},
        Bad{"s_overflow", R"({"S":1e999})", "S: holds a number too large"},
        Bad{"s_claimed", R"({"S":1e9,"A":8,"P":)" + good + "}",
            "P.indptr: has 3 elements, and 1000000000 states × 8 actions need 8000000001"},
        Bad{"format", with(good, R"(,"format":"COO")"), "format: 'COO' is unknown"},
        Bad{"format_number", with(good, R"(,"format":1)"),
            "format: is a number, and must be \"CSR\""},
        Bad{"gamma", with(good, R"(,"gamma":1.01)"), "gamma: is 1.01; give one from 0 to 1"},
        Bad{"gamma_below", with(good, R"(,"gamma":-0.1)"), "gamma: is -0.1"},
        Bad{"not_a_number", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[NaN,1]})"), "line 1"},
        Bad{"infinite", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1e999,1]})"),
            "P.data[0]: holds a number too large"},
        Bad{"negative", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,-0.5]})"),
            "P.data[1]: -0.5 is no probability"},
        Bad{"above", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,1.5]})"),
            "P.data[1]: 1.5 is no probability"},
        Bad{"sum", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,0.9]})"),
            "P.indptr[1]: state 1, action 0: its probabilities sum to 0.9; they must to 1"},
        Bad{"index", with(R"({"indptr":[0,1,2],"indices":[1,2],"data":[1,1]})"),
            "P.indices[1]: is 2, and there are 2 states"},
        Bad{"index_below", with(R"({"indptr":[0,1,2],"indices":[1,-1],"data":[1,1]})"),
            "P.indices[1]: is -1"},
        Bad{"index_half", with(R"({"indptr":[0,1,2],"indices":[1,0.5],"data":[1,1]})"),
            "P.indices[1]: is 0.5; give an integer"},
        Bad{"index_text", with(R"({"indptr":[0,1,2],"indices":[1,"0"],"data":[1,1]})"),
            "P.indices[1]: is a text, and must be a number"},
        Bad{"nested", with(R"({"indptr":[0,1,2],"indices":[1,[0]],"data":[1,1]})"),
            "P.indices[1]: is an array"},
        Bad{"object", with(R"({"indptr":[0,1,{}]})"), "P.indptr[2]: is an object"},
        Bad{"starts", with(R"({"indptr":[1,1,2],"indices":[1,1],"data":[1,1]})"),
            "P.indptr[0]: is 1; row starts begin with 0"},
        Bad{"descend", with(R"({"indptr":[0,2,1],"indices":[1,1],"data":[1,1]})"),
            "P.indptr[2]: is 1 after 2"},
        Bad{"short_starts", with(R"({"indptr":[0,2],"indices":[1,1],"data":[1,1]})"),
            "P.indptr: has 2 elements, and 2 states × 1 actions need 3"},
        Bad{"no_starts", with(R"({"indptr":[],"indices":[1,1],"data":[1,1]})"),
            "P.indptr: has 0 elements"},
        Bad{"long_starts", with(R"({"indptr":[0,1,3],"indices":[1,1],"data":[1,1]})"),
            "P.indptr: ends with 3, and there are 2 indices"},
        Bad{"short_data", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1]})"),
            "P.data: has 1 elements, and there are 2 indices"},
        Bad{"reward_index", with(good, R"(,"R":{"indptr":[0,1,2],"indices":[1,7],"data":[1,1]})"),
            "R.indices[1]: is 7"},
        Bad{"reward_twice", with(good, R"(,"R":{"indptr":[0,2,2],"indices":[1,1],"data":[1,2]})"),
            "R.indices[1]: gives state 1 a second, other reward"},
        Bad{"reward_null", with(good, R"(,"R":null)"), "R: is null"},
        Bad{"values", with(good, R"(,"initial_values":[1])"), "initial_values: has 1 elements"},
        Bad{"initial", with(good, R"(,"initial_state":2)"), "initial_state: is 2, and there are 2"},
        Bad{"names", with(good, R"(,"state_names":["a"])"), "state_names: has 1 elements"},
        Bad{"name_number", with(good, R"(,"state_names":["a",2])"),
            "state_names[1]: is a number, and must be a text"},
        Bad{"label", with(good, R"(,"labels":{"end":[0,5]})"), "labels.end[1]: is 5"},
        Bad{"label_number", with(good, R"(,"labels":{"end":5})"),
            "labels.end: is a number, and must be an array"},
        Bad{"label_array", with(good, R"(,"labels":[5])"),
            "labels: is an array, and must be an object"}),
    name_of);

class BadXml : public testing::TestWithParam<Bad> {};
TEST_P(BadXml, IsRefusedByItsLine) {
  if (!reads_xml()) GTEST_SKIP() << "a build without expat";
  expect_refused(GetParam(), "m.xml",
                 [](ByteStream& bytes) { read_xml_process<double>(bytes, {}); });
}
std::string model(const std::string& states, const std::string& actions = "") {
  return "<MDP>\n" + actions + "<States>\n" + states + "</States></MDP>";
}
std::string one_action(const std::string& successors) {
  return model("<State id='0'><AvailableActions><Action id='0'>\n" + successors +
               "</Action></AvailableActions></State>");
}
const std::string good_successor = "<ResultingState id='0' probability='1' actionReward='0'/>";
INSTANTIATE_TEST_SUITE_P(
    All, BadXml,
    testing::Values(
        Bad{"empty", "", "line 1: is no XML (no element found)"},
        Bad{"text", "hello", "line 1: is no XML"}, Bad{"none", "<MDP/>", "it lists no state"},
        Bad{"truncated", "<MDP>\n<States>\n", "line 3: is no XML (no element found)"},
        Bad{"mismatch", "<MDP>\n</States>", "line 2: is no XML (mismatched tag)"},
        Bad{"root", "<html/>", "line 1: the element 'html' is not known here"},
        Bad{"element", model("<Place/>"), "line 3: the element 'Place' is not known here"},
        Bad{"loose", model("words"), "line 3: the text 'words' belongs to no element"},
        Bad{"no_id", model("<State/>"), "line 3: State lacks the attribute id"},
        Bad{"empty_id", model("<State id=' '/>"), "the attribute id of State is empty"},
        Bad{"attribute", model("<State id='0' colour='red'/>"),
            "line 3: the attribute 'colour' of State is not known"},
        Bad{"value", model("<State id='0' value='x'/>"),
            "line 3: the value 'x' of State is no number"},
        Bad{"gamma", "<MDP gamma='2'/>", "line 1: gamma is not from 0 to 1"},
        Bad{"initial", "<MDP initialState='3'><States><State id='0'/></States></MDP>",
            "initialState is 3, and there are 1 states"},
        Bad{"probability", one_action("<ResultingState id='0' probability='-1' actionReward='0'/>"),
            "line 4: -1 is no probability"},
        Bad{"no_reward", one_action("<ResultingState id='0' probability='1'/>"),
            "line 4: ResultingState lacks the attribute actionReward"},
        Bad{"sum", one_action("<ResultingState id='0' probability='.5' actionReward='0'/>"),
            "line 3: state '0', action '0': its probabilities sum to 0.5"},
        Bad{"leads_out", one_action("<ResultingState id='9' probability='1' actionReward='0'/>"),
            "line 4: it leads to state '9', which the file does not list"},
        Bad{"leads_nowhere", one_action(""), "line 3: action '0' leads nowhere"},
        Bad{"undeclared",
            model("<State id='0'><AvailableActions><Action id='b'>" + good_successor +
                      "</Action></AvailableActions></State>",
                  "<Actions><Action id='a'/></Actions>"),
            "line 3: action 'b' is none of the 1 that are declared"},
        Bad{"declared_twice", "<MDP><Actions><Action id='a'/><Action id='a'/></Actions></MDP>",
            "action 'a' is declared a second time"},
        Bad{"late", "<MDP><States/><Actions/></MDP>", "Actions must come before States"},
        Bad{"twice", model("<State id='0'/><State id='0'/>"), "state '0' is listed a second time"},
        Bad{"bomb",
            "<!DOCTYPE MDP [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>"
            "<MDP>&b;</MDP>",
            "line 1: document types and entities are not accepted"},
        Bad{"outer_file", "<!DOCTYPE MDP SYSTEM \"file:///etc/passwd\"><MDP/>",
            "document types and entities are not accepted"},
        Bad{"entity", "<MDP>&a;</MDP>", "is no XML (undefined entity)"}),
    name_of);

}  // namespace
}  // namespace tidewise::mdp
