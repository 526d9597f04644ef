#include <gmock/gmock.h>

#include "base/error.h"
#include "mdp/file/json.h"
#include "mdp/file/xml.h"
#include "support/error_code.h"

namespace tidewise::mdp {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A text that a reader must refuse, and a part of the message.
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
    EXPECT_THAT(error.what(), test::has_code_of(bad.words));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
    EXPECT_LT(std::string(error.what()).size(), 400u);
  }
}

class BadJson : public testing::TestWithParam<Bad> {};
TEST_P(BadJson, IsRefusedWithItsPath) {
  expect_refused(GetParam(), "m.json",
                 [](ByteStream& bytes) { read_json_process<double>(bytes, {}); });
}

/// Two states and one action, with `p` and `more`.
std::string with(const std::string& p, const std::string& more = "") {
  return R"({"S":2,"A":1,"P":)" + p + more + "}";
}
const std::string good = R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,1]})";

INSTANTIATE_TEST_SUITE_P(
    All, BadJson,
    testing::Values(
        Bad{"empty", "", "line 1, column 1 [json_not_parsed]"},
        Bad{"blank", "  \n ", "unexpected end of input [json_not_parsed]"},
        Bad{"text", "hello", "line 1, column 1 [json_not_parsed]"},
        Bad{"array", "[]", "[json_kind_differs]"},
        Bad{"number", "3", "a number [json_kind_differs]"},
        Bad{"nothing", "{}", "[json_model_key_missing]"},
        Bad{"no_actions", R"({"S":2,"P":)" + good + "}", "[json_model_key_missing]"},
        Bad{"no_p", R"({"S":2,"A":1})", "[json_model_key_missing]"},
        Bad{"truncated", R"({"S":2,"A":1,"P":{"indptr":[0,1)",
            "unexpected end of input [json_not_parsed]"},
        Bad{"after", with(good) + "x", "line 1 [json_not_parsed]"},
        Bad{"unknown", with(good, R"(,"Q":1)"), "[json_key_unknown]"},
        Bad{"line_break", with(good, ",\"a\\nb\":1"), "[json_key_unknown]"},
        Bad{"unknown_within", with(R"({"indptr":[0],"rows":[]})"), "[json_key_unknown]"},
        Bad{"twice", with(good, R"(,"S":2)"), "[json_member_twice]"},
        Bad{"twice_within", with(R"({"data":[],"data":[]})"), "[json_member_twice]"},
        Bad{"lacks_data", with(R"({"indptr":[0,1,2],"indices":[1,1]})"),
            "data [json_member_missing]"},
        Bad{"p_array", with("[1]"), "an object [json_kind_differs]"},
        Bad{"p_number", with("1"), "an object [json_kind_differs]"},
        Bad{"s_text", R"({"S":"2"})", "a number [json_kind_differs]"},
        Bad{"s_array", R"({"S":[2]})", "an array [json_kind_differs]"},
        Bad{"s_null", R"({"S":null})", "null [json_kind_differs]"},
        Bad{"s_zero", R"({"S":0})", "S [json_integer_outside_range]"},
        Bad{"s_below", R"({"S":-4})", "[json_integer_outside_range]"},
        Bad{"s_half", R"({"S":2.5})", "2.5 [json_not_integer]"},
        Bad{"s_vast", R"({"S":99999999999})", "99999999999 [json_integer_outside_range]"},
        Bad{"s_vaster", R"({"S":99999999999999999999999})", "1e+23 [json_not_integer]"},
        Bad{"s_overflow", R"({"S":1e999})", "[json_number_too_large_for_any]"},
        Bad{"s_claimed", R"({"S":1e9,"A":8,"P":)" + good + "}",
            "1000000000 [json_row_starts_length]"},
        Bad{"format", with(good, R"(,"format":"COO")"), "format: 'COO' [json_form_unknown]"},
        Bad{"format_number", with(good, R"(,"format":1)"), "a number [json_kind_differs]"},
        Bad{"gamma", with(good, R"(,"gamma":1.01)"), "[json_discount_invalid]"},
        Bad{"gamma_below", with(good, R"(,"gamma":-0.1)"), "gamma [json_discount_invalid]"},
        Bad{"not_a_number", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[NaN,1]})"),
            "line 1 [json_not_parsed]"},
        Bad{"infinite", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1e999,1]})"),
            "[json_number_too_large_for_any]"},
        Bad{"negative", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,-0.5]})"),
            "P.data[1]: -0.5 [probability_invalid]"},
        Bad{"above", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,1.5]})"),
            "P.data[1]: 1.5 [probability_invalid]"},
        Bad{"sum", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,0.9]})"),
            "its probabilities sum to 0.9 [row_invalid]"},
        Bad{"index", with(R"({"indptr":[0,1,2],"indices":[1,2],"data":[1,1]})"),
            "[json_state_outside]"},
        Bad{"index_below", with(R"({"indptr":[0,1,2],"indices":[1,-1],"data":[1,1]})"),
            "P.indices[1] [json_integer_outside_range]"},
        Bad{"index_half", with(R"({"indptr":[0,1,2],"indices":[1,0.5],"data":[1,1]})"),
            "P.indices[1] [json_not_integer]"},
        Bad{"index_text", with(R"({"indptr":[0,1,2],"indices":[1,"0"],"data":[1,1]})"),
            "P.indices[1] [json_kind_differs]"},
        Bad{"nested", with(R"({"indptr":[0,1,2],"indices":[1,[0]],"data":[1,1]})"),
            "P.indices[1] [json_kind_differs]"},
        Bad{"object", with(R"({"indptr":[0,1,{}]})"), "P.indptr[2] [json_kind_differs]"},
        Bad{"starts", with(R"({"indptr":[1,1,2],"indices":[1,1],"data":[1,1]})"),
            "[json_row_starts_first]"},
        Bad{"descend", with(R"({"indptr":[0,2,1],"indices":[1,1],"data":[1,1]})"),
            "P.indptr[2] [json_row_starts_descend]"},
        Bad{"short_starts", with(R"({"indptr":[0,2],"indices":[1,1],"data":[1,1]})"),
            "[json_row_starts_length]"},
        Bad{"no_starts", with(R"({"indptr":[],"indices":[1,1],"data":[1,1]})"),
            "P.indptr [json_row_starts_length]"},
        Bad{"long_starts", with(R"({"indptr":[0,1,3],"indices":[1,1],"data":[1,1]})"),
            "[json_row_starts_last]"},
        Bad{"short_data", with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1]})"),
            "[json_data_length]"},
        Bad{"reward_index", with(good, R"(,"R":{"indptr":[0,1,2],"indices":[1,7],"data":[1,1]})"),
            "R.indices[1] [json_state_outside]"},
        Bad{"reward_twice", with(good, R"(,"R":{"indptr":[0,2,2],"indices":[1,1],"data":[1,2]})"),
            "[json_second_reward]"},
        Bad{"reward_null", with(good, R"(,"R":null)"), "null [json_kind_differs]"},
        Bad{"values", with(good, R"(,"initial_values":[1])"), "initial_values [array_length]"},
        Bad{"initial", with(good, R"(,"initial_state":2)"),
            "initial_state [json_initial_state_outside]"},
        Bad{"names", with(good, R"(,"state_names":["a"])"), "state_names [array_length]"},
        Bad{"name_number", with(good, R"(,"state_names":["a",2])"),
            "state_names[1] [json_kind_differs]"},
        Bad{"label", with(good, R"(,"labels":{"end":[0,5]})"),
            "labels.end[1] [json_state_outside]"},
        Bad{"label_number", with(good, R"(,"labels":{"end":5})"), "labels.end [json_kind_differs]"},
        Bad{"label_array", with(good, R"(,"labels":[5])"), "an object [json_kind_differs]"}),
    name_of);

class BadXml : public testing::TestWithParam<Bad> {};
TEST_P(BadXml, IsRefusedWithItsLine) {
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
        Bad{"empty", "", "no element found [xml_not_parsed]"},
        Bad{"text", "hello", "line 1 [xml_not_parsed]"},
        Bad{"none", "<MDP/>", "[listing_without_state]"},
        Bad{"truncated", "<MDP>\n<States>\n", "no element found [xml_not_parsed]"},
        Bad{"mismatch", "<MDP>\n</States>", "mismatched tag [xml_not_parsed]"},
        Bad{"root", "<html/>", "[xml_element_unknown]"},
        Bad{"element", model("<Place/>"), "[xml_element_unknown]"},
        Bad{"loose", model("words"), "[xml_text_outside_element]"},
        Bad{"no_id", model("<State/>"), "line 3: State [xml_attribute_missing]"},
        Bad{"empty_id", model("<State id=' '/>"), "[xml_attribute_empty]"},
        Bad{"attribute", model("<State id='0' colour='red'/>"), "'colour' [xml_attribute_unknown]"},
        Bad{"misspelt", model("<State id='0'><Descripton>here</Descripton></State>"),
            "'Descripton' [xml_element_unknown]"},
        Bad{"misplaced", model("<Description>here</Description>"), "[xml_element_unknown]"},
        Bad{"domain", model("<State id='0' domain='grid'/>"), "'domain' [xml_attribute_unknown]"},
        Bad{"value", model("<State id='0' value='x'/>"), "line 3 [xml_number_invalid]"},
        Bad{"gamma", "<MDP gamma='2'/>", "[xml_gamma_invalid]"},
        Bad{"initial", "<MDP initialState='3'><States><State id='0'/></States></MDP>",
            "[xml_initial_state_outside]"},
        Bad{"probability", one_action("<ResultingState id='0' probability='-1' actionReward='0'/>"),
            "[probability_invalid]"},
        Bad{"no_reward", one_action("<ResultingState id='0' probability='1'/>"),
            "line 4: ResultingState [xml_attribute_missing]"},
        Bad{"sum", one_action("<ResultingState id='0' probability='.5' actionReward='0'/>"),
            "its probabilities sum to 0.5 [row_invalid]"},
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
        Bad{"entity", "<MDP>&a;</MDP>", "undefined entity [xml_not_parsed]"}),
    name_of);

}  // namespace
}  // namespace tidewise::mdp
