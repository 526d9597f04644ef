#include <gmock/gmock.h>

#include "base/error.h"
#include "mdp/file/json.h"
#include "mdp/file/xml.h"
#include "support/error_code.h"

namespace tidewise::mdp {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A text that a reader must refuse, with words and the code of the message.
struct RefusedText {
  const char* name;
  std::string text;
  const char* words;
};
std::string name_of(const testing::TestParamInfo<RefusedText>& bad) { return bad.param.name; }

template <class Read>
void expect_refused(const RefusedText& bad, const char* file, const Read& read) {
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

class BadJson : public testing::TestWithParam<RefusedText> {};
TEST_P(BadJson, IsRefusedWithItsPath) {
  expect_refused(GetParam(), "m.json",
                 [](ByteStream& bytes) { read_json_process<double>(bytes, {}); });
}

/// Returns JSON of two states and one action, with the transitions `p` and further members `more`.
std::string json_with(const std::string& p, const std::string& more = "") {
  return R"({"S":2,"A":1,"P":)" + p + more + "}";
}
const std::string valid_transitions = R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,1]})";

INSTANTIATE_TEST_SUITE_P(
    All, BadJson,
    testing::Values(
        RefusedText{"empty", "", "line 1, column 1 [json_not_parsed]"},
        RefusedText{"blank", "  \n ", "unexpected end of input [json_not_parsed]"},
        RefusedText{"text", "hello", "line 1, column 1 [json_not_parsed]"},
        RefusedText{"array", "[]", "[json_kind_differs]"},
        RefusedText{"number", "3", "a number [json_kind_differs]"},
        RefusedText{"nothing", "{}", "[json_model_key_missing]"},
        RefusedText{"no_actions", R"({"S":2,"P":)" + valid_transitions + "}",
                    "[json_model_key_missing]"},
        RefusedText{"no_p", R"({"S":2,"A":1})", "[json_model_key_missing]"},
        RefusedText{"truncated", R"({"S":2,"A":1,"P":{"indptr":[0,1)",
                    "unexpected end of input [json_not_parsed]"},
        RefusedText{"after", json_with(valid_transitions) + "x", "line 1 [json_not_parsed]"},
        RefusedText{"unknown", json_with(valid_transitions, R"(,"Q":1)"), "[json_key_unknown]"},
        RefusedText{"line_break", json_with(valid_transitions, ",\"a\\nb\":1"),
                    "[json_key_unknown]"},
        RefusedText{"unknown_within", json_with(R"({"indptr":[0],"rows":[]})"),
                    "[json_key_unknown]"},
        RefusedText{"twice", json_with(valid_transitions, R"(,"S":2)"), "[json_member_twice]"},
        RefusedText{"twice_within", json_with(R"({"data":[],"data":[]})"), "[json_member_twice]"},
        RefusedText{"lacks_data", json_with(R"({"indptr":[0,1,2],"indices":[1,1]})"),
                    "data [json_member_missing]"},
        RefusedText{"p_array", json_with("[1]"), "an object [json_kind_differs]"},
        RefusedText{"p_number", json_with("1"), "an object [json_kind_differs]"},
        RefusedText{"s_text", R"({"S":"2"})", "a number [json_kind_differs]"},
        RefusedText{"s_array", R"({"S":[2]})", "an array [json_kind_differs]"},
        RefusedText{"s_null", R"({"S":null})", "null [json_kind_differs]"},
        RefusedText{"s_zero", R"({"S":0})", "S [json_integer_outside_range]"},
        RefusedText{"s_below", R"({"S":-4})", "[json_integer_outside_range]"},
        RefusedText{"s_half", R"({"S":2.5})", "2.5 [json_not_integer]"},
        RefusedText{"s_vast", R"({"S":99999999999})", "99999999999 [json_integer_outside_range]"},
        RefusedText{"s_vaster", R"({"S":99999999999999999999999})", "1e+23 [json_not_integer]"},
        RefusedText{"s_overflow", R"({"S":1e999})", "[json_number_too_large_for_any]"},
        RefusedText{"s_claimed", R"({"S":1e9,"A":8,"P":)" + valid_transitions + "}",
                    "1000000000 [json_row_starts_length]"},
        RefusedText{"format", json_with(valid_transitions, R"(,"format":"COO")"),
                    "format: 'COO' [json_form_unknown]"},
        RefusedText{"format_number", json_with(valid_transitions, R"(,"format":1)"),
                    "a number [json_kind_differs]"},
        RefusedText{"gamma", json_with(valid_transitions, R"(,"gamma":1.01)"),
                    "[json_discount_invalid]"},
        RefusedText{"gamma_below", json_with(valid_transitions, R"(,"gamma":-0.1)"),
                    "gamma [json_discount_invalid]"},
        RefusedText{"not_a_number",
                    json_with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[NaN,1]})"),
                    "line 1 [json_not_parsed]"},
        RefusedText{"infinite", json_with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1e999,1]})"),
                    "[json_number_too_large_for_any]"},
        RefusedText{"negative", json_with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,-0.5]})"),
                    "P.data[1]: -0.5 [probability_invalid]"},
        RefusedText{"above", json_with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,1.5]})"),
                    "P.data[1]: 1.5 [probability_invalid]"},
        RefusedText{"sum", json_with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,0.9]})"),
                    "its probabilities sum to 0.9 [row_invalid]"},
        RefusedText{"index", json_with(R"({"indptr":[0,1,2],"indices":[1,2],"data":[1,1]})"),
                    "[json_state_outside]"},
        RefusedText{"index_below", json_with(R"({"indptr":[0,1,2],"indices":[1,-1],"data":[1,1]})"),
                    "P.indices[1] [json_integer_outside_range]"},
        RefusedText{"index_half", json_with(R"({"indptr":[0,1,2],"indices":[1,0.5],"data":[1,1]})"),
                    "P.indices[1] [json_not_integer]"},
        RefusedText{"index_text", json_with(R"({"indptr":[0,1,2],"indices":[1,"0"],"data":[1,1]})"),
                    "P.indices[1] [json_kind_differs]"},
        RefusedText{"nested", json_with(R"({"indptr":[0,1,2],"indices":[1,[0]],"data":[1,1]})"),
                    "P.indices[1] [json_kind_differs]"},
        RefusedText{"object", json_with(R"({"indptr":[0,1,{}]})"),
                    "P.indptr[2] [json_kind_differs]"},
        RefusedText{"starts", json_with(R"({"indptr":[1,1,2],"indices":[1,1],"data":[1,1]})"),
                    "[json_row_starts_first]"},
        RefusedText{"descend", json_with(R"({"indptr":[0,2,1],"indices":[1,1],"data":[1,1]})"),
                    "P.indptr[2] [json_row_starts_descend]"},
        RefusedText{"short_starts", json_with(R"({"indptr":[0,2],"indices":[1,1],"data":[1,1]})"),
                    "[json_row_starts_length]"},
        RefusedText{"no_starts", json_with(R"({"indptr":[],"indices":[1,1],"data":[1,1]})"),
                    "P.indptr [json_row_starts_length]"},
        RefusedText{"long_starts", json_with(R"({"indptr":[0,1,3],"indices":[1,1],"data":[1,1]})"),
                    "[json_row_starts_last]"},
        RefusedText{"short_data", json_with(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1]})"),
                    "[json_data_length]"},
        RefusedText{
            "reward_index",
            json_with(valid_transitions, R"(,"R":{"indptr":[0,1,2],"indices":[1,7],"data":[1,1]})"),
            "R.indices[1] [json_state_outside]"},
        RefusedText{
            "reward_twice",
            json_with(valid_transitions, R"(,"R":{"indptr":[0,2,2],"indices":[1,1],"data":[1,2]})"),
            "[json_second_reward]"},
        RefusedText{"reward_null", json_with(valid_transitions, R"(,"R":null)"),
                    "null [json_kind_differs]"},
        RefusedText{"values", json_with(valid_transitions, R"(,"initial_values":[1])"),
                    "initial_values [array_length]"},
        RefusedText{"initial", json_with(valid_transitions, R"(,"initial_state":2)"),
                    "initial_state [json_initial_state_outside]"},
        RefusedText{"names", json_with(valid_transitions, R"(,"state_names":["a"])"),
                    "state_names [array_length]"},
        RefusedText{"name_number", json_with(valid_transitions, R"(,"state_names":["a",2])"),
                    "state_names[1] [json_kind_differs]"},
        RefusedText{"label", json_with(valid_transitions, R"(,"labels":{"end":[0,5]})"),
                    "labels.end[1] [json_state_outside]"},
        RefusedText{"label_number", json_with(valid_transitions, R"(,"labels":{"end":5})"),
                    "labels.end [json_kind_differs]"},
        RefusedText{"label_array", json_with(valid_transitions, R"(,"labels":[5])"),
                    "an object [json_kind_differs]"}),
    name_of);

class BadXml : public testing::TestWithParam<RefusedText> {};
TEST_P(BadXml, IsRefusedWithItsLine) {
  if (!reads_xml()) GTEST_SKIP() << "a build without expat";
  expect_refused(GetParam(), "m.xml",
                 [](ByteStream& bytes) { read_xml_process<double>(bytes, {}); });
}
std::string xml_model(const std::string& states, const std::string& actions = "") {
  return "<MDP>\n" + actions + "<States>\n" + states + "</States></MDP>";
}
std::string xml_with_successors(const std::string& successors) {
  return xml_model("<State id='0'><AvailableActions><Action id='0'>\n" + successors +
                   "</Action></AvailableActions></State>");
}
const std::string valid_successor = "<ResultingState id='0' probability='1' actionReward='0'/>";
INSTANTIATE_TEST_SUITE_P(
    All, BadXml,
    testing::Values(
        RefusedText{"empty", "", "no element found [xml_not_parsed]"},
        RefusedText{"text", "hello", "line 1 [xml_not_parsed]"},
        RefusedText{"none", "<MDP/>", "[listing_without_state]"},
        RefusedText{"truncated", "<MDP>\n<States>\n", "no element found [xml_not_parsed]"},
        RefusedText{"mismatch", "<MDP>\n</States>", "mismatched tag [xml_not_parsed]"},
        RefusedText{"root", "<html/>", "[xml_element_unknown]"},
        RefusedText{"element", xml_model("<Place/>"), "[xml_element_unknown]"},
        RefusedText{"loose", xml_model("words"), "[xml_text_outside_element]"},
        RefusedText{"no_id", xml_model("<State/>"), "line 3: State [xml_attribute_missing]"},
        RefusedText{"empty_id", xml_model("<State id=' '/>"), "[xml_attribute_empty]"},
        RefusedText{"attribute", xml_model("<State id='0' colour='red'/>"),
                    "'colour' [xml_attribute_unknown]"},
        RefusedText{"misspelt", xml_model("<State id='0'><Descripton>here</Descripton></State>"),
                    "'Descripton' [xml_element_unknown]"},
        RefusedText{"misplaced", xml_model("<Description>here</Description>"),
                    "[xml_element_unknown]"},
        RefusedText{"domain", xml_model("<State id='0' domain='grid'/>"),
                    "'domain' [xml_attribute_unknown]"},
        RefusedText{"value", xml_model("<State id='0' value='x'/>"), "line 3 [xml_number_invalid]"},
        RefusedText{"gamma", "<MDP gamma='2'/>", "[xml_gamma_invalid]"},
        RefusedText{"initial", "<MDP initialState='3'><States><State id='0'/></States></MDP>",
                    "[xml_initial_state_outside]"},
        RefusedText{
            "probability",
            xml_with_successors("<ResultingState id='0' probability='-1' actionReward='0'/>"),
            "[probability_invalid]"},
        RefusedText{"no_reward", xml_with_successors("<ResultingState id='0' probability='1'/>"),
                    "line 4: ResultingState [xml_attribute_missing]"},
        RefusedText{
            "sum",
            xml_with_successors("<ResultingState id='0' probability='.5' actionReward='0'/>"),
            "its probabilities sum to 0.5 [row_invalid]"},
        RefusedText{
            "leads_out",
            xml_with_successors("<ResultingState id='9' probability='1' actionReward='0'/>"),
            "[listed_successor_missing]"},
        RefusedText{"leads_nowhere", xml_with_successors(""), "[listed_action_leads_nowhere]"},
        RefusedText{"undeclared",
                    xml_model("<State id='0'><AvailableActions><Action id='b'>" + valid_successor +
                                  "</Action></AvailableActions></State>",
                              "<Actions><Action id='a'/></Actions>"),
                    "[listed_action_undeclared]"},
        RefusedText{"declared_twice",
                    "<MDP><Actions><Action id='a'/><Action id='a'/></Actions></MDP>",
                    "[listed_action_declared_twice]"},
        RefusedText{"late", "<MDP><States/><Actions/></MDP>", "[xml_order_invalid]"},
        RefusedText{"twice", xml_model("<State id='0'/><State id='0'/>"), "[listed_state_twice]"},
        RefusedText{"bomb",
                    "<!DOCTYPE MDP [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>"
                    "<MDP>&b;</MDP>",
                    "[xml_document_type]"},
        RefusedText{"outer_file", "<!DOCTYPE MDP SYSTEM \"file:///etc/passwd\"><MDP/>",
                    "[xml_document_type]"},
        RefusedText{"entity", "<MDP>&a;</MDP>", "undefined entity [xml_not_parsed]"}),
    name_of);

}  // namespace
}  // namespace tidewise::mdp
