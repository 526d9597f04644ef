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
        Bad{"text", "hello", "line 1, column 1"}, Bad{"array", "[]", "[json_kind_differs]"},
        Bad{"number", "3", "is a number"}, Bad{"nothing", "{}", "[json_model_key_missing]"},
        Bad{"no_actions", R"({"S":2,"P":)" + good + "}", "[json_model_key_missing]"},
        Bad{"no_p", R"({"S":2,"A":1})", "[json_model_key_missing]"},
        Bad{"truncated", R"({"S":2,"A":1,"P":{"indptr":[0,1)", "unexpected end of input"},
        Bad{"after", with(good) + "x", "line 1"},
        Bad{"unknown", with(good, R"(,"Q":1)"), "[json_key_unknown]"},
        Bad{"line_break", with(good, ",\"a\\nb\":1"), "[json_key_unknown]"},
        Bad{"unknown_within", with(R"({"indptr":[0],"rows":[]})"), "[json_key_unknown]"},
        Bad{"twice", with(good, R"(,"S":2)"), "[json_member_twice]"},
        Bad{"twice_within", with(R"({"data":[],"data":[]})"), "[json_member_twice]"},
        Bad{"lacks_data", with(R"({"indptr":[0,1,2],"indices":[1,1]})"), "P: lacks \"data\""},
        Bad{"p_array", with("[1]"), "P: is an array, and must be an object"},
        Bad{"p_number", with("1"), "P: is a number, and must be an object"},
        Bad{"s_text", R"({"S":"2"})", "S: is a text, and must be a number"},
        Bad{"s_array", R"({"S":[2]})", "S: is an array, and must be a number"},
        Bad{"s_null", R"({"S":null})", "S: is null"},
        Bad{"s_zero", R"({"S":0})", "S: is 0; give an"},
        Bad{"s_below", R"({"S":-4})", "[json_integer_outside_range]"},
        Bad{"s_half", R"({"S":2.5})", "S: is 2.5; give an integer"},
        Bad{"s_vast", R"({"S":99999999999})", "S: is 99999999999; give"},
        Bad{"s_vaster", R"({"S":99999999999999999999999})", "S: is 1e+23; give an integer"},
        Bad{"s_overflow", R"({"S":1e999})", "[json_number_too_large_for_any]"},
        Bad{"s_claimed", R"({"S":1e9,"A":8,"P":)" + good + "}",
            "P.indptr: has 3 elements, and 1000000000 states × 8 actions need 8000000001"},
        Bad{"format", with(good, R"(,"format":"COO")"), "format: 'COO' is unknown"},
        Bad{"format_number", with(good, R"(,"format":1)"),
            "format: is a number, and must be \"CSR\""},
        Bad{"gamma", with(good, R"(,"gamma":1.01)"), "[json_discount_invalid]"},
        Bad{"gamma_below", with(good, R"(,"gamma":-0.1)"), "gamma: is -0.1"},
        Bad{"not_a_number", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[NaN,1]})"), "line 1"},
        Bad{"infinite", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1e999,1]})"),
            "[json_number_too_large_for_any]"},
        Bad{"negative", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,-0.5]})"),
            "P.data[1]: -0.5 is no probability"},
        Bad{"above", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,1.5]})"),
            "P.data[1]: 1.5 is no probability"},
        Bad{"sum", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,0.9]})"),
            "P.indptr[1]: state 1, action 0: its probabilities sum to 0.9; they must to 1"},
        Bad{"index", with(R"({"indptr":[0,1,2],"indices":[1,2],"data":[1,1]})"),
            "[json_state_outside]"},
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
            "[json_row_starts_first]"},
        Bad{"descend", with(R"({"indptr":[0,2,1],"indices":[1,1],"data":[1,1]})"),
            "P.indptr[2]: is 1 after 2"},
        Bad{"short_starts", with(R"({"indptr":[0,2],"indices":[1,1],"data":[1,1]})"),
            "[json_row_starts_length]"},
        Bad{"no_starts", with(R"({"indptr":[],"indices":[1,1],"data":[1,1]})"),
            "P.indptr: has 0 elements"},
        Bad{"long_starts", with(R"({"indptr":[0,1,3],"indices":[1,1],"data":[1,1]})"),
            "[json_row_starts_last]"},
        Bad{"short_data", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1]})"),
            "[json_data_length]"},
        Bad{"reward_index", with(good, R"(,"R":{"indptr":[0,1,2],"indices":[1,7],"data":[1,1]})"),
            "R.indices[1]: is 7"},
        Bad{"reward_twice", with(good, R"(,"R":{"indptr":[0,2,2],"indices":[1,1],"data":[1,2]})"),
            "[json_second_reward]"},
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
        Bad{"text", "hello", "line 1: is no XML"}, Bad{"none", "<MDP/>", "[listing_without_state]"},
        Bad{"truncated", "<MDP>\n<States>\n", "line 3: is no XML (no element found)"},
        Bad{"mismatch", "<MDP>\n</States>", "line 2: is no XML (mismatched tag)"},
        Bad{"root", "<html/>", "[xml_element_unknown]"},
        Bad{"element", model("<Place/>"), "[xml_element_unknown]"},
        Bad{"loose", model("words"), "[xml_text_outside_element]"},
        Bad{"no_id", model("<State/>"), "line 3: State lacks the attribute id"},
        Bad{"empty_id", model("<State id=' '/>"), "[xml_attribute_empty]"},
        Bad{"attribute", model("<State id='0' colour='red'/>"),
            "line 3: the attribute 'colour' of State is not known"},
        Bad{"value", model("<State id='0' value='x'/>"),
            "line 3: the value 'x' of State is no number"},
        Bad{"gamma", "<MDP gamma='2'/>", "[xml_gamma_invalid]"},
        Bad{"initial", "<MDP initialState='3'><States><State id='0'/></States></MDP>",
            "[xml_initial_state_outside]"},
        Bad{"probability", one_action("<ResultingState id='0' probability='-1' actionReward='0'/>"),
            "[probability_invalid]"},
        Bad{"no_reward", one_action("<ResultingState id='0' probability='1'/>"),
            "line 4: ResultingState lacks the attribute actionReward"},
        Bad{"sum", one_action("<ResultingState id='0' probability='.5' actionReward='0'/>"),
            "line 3: state '0', action '0': its probabilities sum to 0.5"},
        Bad{"leads_out", one_action("<ResultingState id='9' probability='1' actionReward='0'/>"),
            "[listed_successor_missing]"},
        Bad{"leads_nowhere", one_action(""), "[listed_action_leads_nowhere]"},
        Bad{"undeclared",
            model("<State id='0'><AvailableActions><Action id='b'>" + good_successor +
                      "</Action></AvailableActions></State>",
                  "<Actions><Action id='a'/></Actions>"),
            "[listed_action_undeclared]"},
        Bad{"declared_twice", "<MDP><Actions><Action id='a'/><Action id='a'/></Actions></MDP>",
            "[listed_action_declared_twice]"},
        Bad{"late", "<MDP><States/><Actions/></MDP>", "[xml_order_invalid]"},
        Bad{"twice", model("<State id='0'/><State id='0'/>"), "[listed_state_twice]"},
        Bad{"bomb",
            "<!DOCTYPE MDP [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>"
            "<MDP>&b;</MDP>",
            "[xml_document_type]"},
        Bad{"outer_file", "<!DOCTYPE MDP SYSTEM \"file:///etc/passwd\"><MDP/>",
            "[xml_document_type]"},
        Bad{"entity", "<MDP>&a;</MDP>", "is no XML (undefined entity)"}),
    name_of);

}  // namespace
}  // namespace tidewise::mdp
