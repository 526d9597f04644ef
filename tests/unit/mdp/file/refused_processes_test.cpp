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
struct Refused {
  const char* name;
  std::string text;
  const char* words;
};
std::string name_of(const testing::TestParamInfo<Refused>& bad) { return bad.param.name; }

template <class Read>
void expect_refused(const Refused& bad, const char* file, const Read& read) {
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

class BadJson : public testing::TestWithParam<Refused> {};
TEST_P(BadJson, IsRefusedWithItsPath) {
  expect_refused(GetParam(), "m.json",
                 [](ByteStream& bytes) { read_json_process<double>(bytes, {}); });
}

/// Returns JSON of two states and one action, with the transitions `p` and further members `more`.
std::string json(const std::string& p, const std::string& more = "") {
  return R"({"S":2,"A":1,"P":)" + p + more + "}";
}
const std::string valid_p = R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,1]})";

INSTANTIATE_TEST_SUITE_P(
    All, BadJson,
    testing::Values(
        Refused{"empty", "", "line 1, column 1 [json_not_parsed]"},
        Refused{"blank", "  \n ", "unexpected end of input [json_not_parsed]"},
        Refused{"text", "hello", "line 1, column 1 [json_not_parsed]"},
        Refused{"array", "[]", "[json_kind_differs]"},
        Refused{"number", "3", "a number [json_kind_differs]"},
        Refused{"nothing", "{}", "[json_model_key_missing]"},
        Refused{"no_actions", R"({"S":2,"P":)" + valid_p + "}", "[json_model_key_missing]"},
        Refused{"no_p", R"({"S":2,"A":1})", "[json_model_key_missing]"},
        Refused{"truncated", R"({"S":2,"A":1,"P":{"indptr":[0,1)",
                "unexpected end of input [json_not_parsed]"},
        Refused{"after", json(valid_p) + "x", "line 1 [json_not_parsed]"},
        Refused{"unknown", json(valid_p, R"(,"Q":1)"), "[json_key_unknown]"},
        Refused{"line_break", json(valid_p, ",\"a\\nb\":1"), "[json_key_unknown]"},
        Refused{"unknown_within", json(R"({"indptr":[0],"rows":[]})"), "[json_key_unknown]"},
        Refused{"twice", json(valid_p, R"(,"S":2)"), "[json_member_twice]"},
        Refused{"twice_within", json(R"({"data":[],"data":[]})"), "[json_member_twice]"},
        Refused{"lacks_data", json(R"({"indptr":[0,1,2],"indices":[1,1]})"),
                "data [json_member_missing]"},
        Refused{"p_array", json("[1]"), "an object [json_kind_differs]"},
        Refused{"p_number", json("1"), "an object [json_kind_differs]"},
        Refused{"s_text", R"({"S":"2"})", "a number [json_kind_differs]"},
        Refused{"s_array", R"({"S":[2]})", "an array [json_kind_differs]"},
        Refused{"s_null", R"({"S":null})", "null [json_kind_differs]"},
        Refused{"s_zero", R"({"S":0})", "S [json_integer_outside_range]"},
        Refused{"s_below", R"({"S":-4})", "[json_integer_outside_range]"},
        Refused{"s_half", R"({"S":2.5})", "2.5 [json_not_integer]"},
        Refused{"s_vast", R"({"S":99999999999})", "99999999999 [json_integer_outside_range]"},
        Refused{"s_vaster", R"({"S":99999999999999999999999})", "1e+23 [json_not_integer]"},
        Refused{"s_overflow", R"({"S":1e999})", "[json_number_too_large_for_any]"},
        Refused{"s_claimed", R"({"S":1e9,"A":8,"P":)" + valid_p + "}",
                "1000000000 [json_row_starts_length]"},
        Refused{"format", json(valid_p, R"(,"format":"COO")"), "format: 'COO' [json_form_unknown]"},
        Refused{"format_number", json(valid_p, R"(,"format":1)"), "a number [json_kind_differs]"},
        Refused{"gamma", json(valid_p, R"(,"gamma":1.01)"), "[json_discount_invalid]"},
        Refused{"gamma_below", json(valid_p, R"(,"gamma":-0.1)"), "gamma [json_discount_invalid]"},
        Refused{"not_a_number", json(R"({"indptr":[0,1,2],"indices":[1,1],"data":[NaN,1]})"),
                "line 1 [json_not_parsed]"},
        Refused{"infinite", json(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1e999,1]})"),
                "[json_number_too_large_for_any]"},
        Refused{"negative", json(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,-0.5]})"),
                "P.data[1]: -0.5 [probability_invalid]"},
        Refused{"above", json(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,1.5]})"),
                "P.data[1]: 1.5 [probability_invalid]"},
        Refused{"sum", json(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1,0.9]})"),
                "its probabilities sum to 0.9 [row_invalid]"},
        Refused{"index", json(R"({"indptr":[0,1,2],"indices":[1,2],"data":[1,1]})"),
                "[json_state_outside]"},
        Refused{"index_below", json(R"({"indptr":[0,1,2],"indices":[1,-1],"data":[1,1]})"),
                "P.indices[1] [json_integer_outside_range]"},
        Refused{"index_half", json(R"({"indptr":[0,1,2],"indices":[1,0.5],"data":[1,1]})"),
                "P.indices[1] [json_not_integer]"},
        Refused{"index_text", json(R"({"indptr":[0,1,2],"indices":[1,"0"],"data":[1,1]})"),
                "P.indices[1] [json_kind_differs]"},
        Refused{"nested", json(R"({"indptr":[0,1,2],"indices":[1,[0]],"data":[1,1]})"),
                "P.indices[1] [json_kind_differs]"},
        Refused{"object", json(R"({"indptr":[0,1,{}]})"), "P.indptr[2] [json_kind_differs]"},
        Refused{"starts", json(R"({"indptr":[1,1,2],"indices":[1,1],"data":[1,1]})"),
                "[json_row_starts_first]"},
        Refused{"descend", json(R"({"indptr":[0,2,1],"indices":[1,1],"data":[1,1]})"),
                "P.indptr[2] [json_row_starts_descend]"},
        Refused{"short_starts", json(R"({"indptr":[0,2],"indices":[1,1],"data":[1,1]})"),
                "[json_row_starts_length]"},
        Refused{"no_starts", json(R"({"indptr":[],"indices":[1,1],"data":[1,1]})"),
                "P.indptr [json_row_starts_length]"},
        Refused{"long_starts", json(R"({"indptr":[0,1,3],"indices":[1,1],"data":[1,1]})"),
                "[json_row_starts_last]"},
        Refused{"short_data", json(R"({"indptr":[0,1,2],"indices":[1,1],"data":[1]})"),
                "[json_data_length]"},
        Refused{"reward_index",
                json(valid_p, R"(,"R":{"indptr":[0,1,2],"indices":[1,7],"data":[1,1]})"),
                "R.indices[1] [json_state_outside]"},
        Refused{"reward_twice",
                json(valid_p, R"(,"R":{"indptr":[0,2,2],"indices":[1,1],"data":[1,2]})"),
                "[json_second_reward]"},
        Refused{"reward_null", json(valid_p, R"(,"R":null)"), "null [json_kind_differs]"},
        Refused{"values", json(valid_p, R"(,"initial_values":[1])"),
                "initial_values [array_length]"},
        Refused{"initial", json(valid_p, R"(,"initial_state":2)"),
                "initial_state [json_initial_state_outside]"},
        Refused{"names", json(valid_p, R"(,"state_names":["a"])"), "state_names [array_length]"},
        Refused{"name_number", json(valid_p, R"(,"state_names":["a",2])"),
                "state_names[1] [json_kind_differs]"},
        Refused{"label", json(valid_p, R"(,"labels":{"end":[0,5]})"),
                "labels.end[1] [json_state_outside]"},
        Refused{"label_number", json(valid_p, R"(,"labels":{"end":5})"),
                "labels.end [json_kind_differs]"},
        Refused{"label_array", json(valid_p, R"(,"labels":[5])"), "an object [json_kind_differs]"}),
    name_of);

class BadXml : public testing::TestWithParam<Refused> {};
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
        Refused{"empty", "", "no element found [xml_not_parsed]"},
        Refused{"text", "hello", "line 1 [xml_not_parsed]"},
        Refused{"none", "<MDP/>", "[listing_without_state]"},
        Refused{"truncated", "<MDP>\n<States>\n", "no element found [xml_not_parsed]"},
        Refused{"mismatch", "<MDP>\n</States>", "mismatched tag [xml_not_parsed]"},
        Refused{"root", "<html/>", "[xml_element_unknown]"},
        Refused{"element", xml_model("<Place/>"), "[xml_element_unknown]"},
        Refused{"loose", xml_model("words"), "[xml_text_outside_element]"},
        Refused{"no_id", xml_model("<State/>"), "line 3: State [xml_attribute_missing]"},
        Refused{"empty_id", xml_model("<State id=' '/>"), "[xml_attribute_empty]"},
        Refused{"attribute", xml_model("<State id='0' colour='red'/>"),
                "'colour' [xml_attribute_unknown]"},
        Refused{"misspelt", xml_model("<State id='0'><Descripton>here</Descripton></State>"),
                "'Descripton' [xml_element_unknown]"},
        Refused{"misplaced", xml_model("<Description>here</Description>"), "[xml_element_unknown]"},
        Refused{"domain", xml_model("<State id='0' domain='grid'/>"),
                "'domain' [xml_attribute_unknown]"},
        Refused{"value", xml_model("<State id='0' value='x'/>"), "line 3 [xml_number_invalid]"},
        Refused{"gamma", "<MDP gamma='2'/>", "[xml_gamma_invalid]"},
        Refused{"initial", "<MDP initialState='3'><States><State id='0'/></States></MDP>",
                "[xml_initial_state_outside]"},
        Refused{"probability",
                xml_with_successors("<ResultingState id='0' probability='-1' actionReward='0'/>"),
                "[probability_invalid]"},
        Refused{"no_reward", xml_with_successors("<ResultingState id='0' probability='1'/>"),
                "line 4: ResultingState [xml_attribute_missing]"},
        Refused{"sum",
                xml_with_successors("<ResultingState id='0' probability='.5' actionReward='0'/>"),
                "its probabilities sum to 0.5 [row_invalid]"},
        Refused{"leads_out",
                xml_with_successors("<ResultingState id='9' probability='1' actionReward='0'/>"),
                "[listed_successor_missing]"},
        Refused{"leads_nowhere", xml_with_successors(""), "[listed_action_leads_nowhere]"},
        Refused{"undeclared",
                xml_model("<State id='0'><AvailableActions><Action id='b'>" + valid_successor +
                              "</Action></AvailableActions></State>",
                          "<Actions><Action id='a'/></Actions>"),
                "[listed_action_undeclared]"},
        Refused{"declared_twice", "<MDP><Actions><Action id='a'/><Action id='a'/></Actions></MDP>",
                "[listed_action_declared_twice]"},
        Refused{"late", "<MDP><States/><Actions/></MDP>", "[xml_order_invalid]"},
        Refused{"twice", xml_model("<State id='0'/><State id='0'/>"), "[listed_state_twice]"},
        Refused{"bomb",
                "<!DOCTYPE MDP [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>"
                "<MDP>&b;</MDP>",
                "[xml_document_type]"},
        Refused{"outer_file", "<!DOCTYPE MDP SYSTEM \"file:///etc/passwd\"><MDP/>",
                "[xml_document_type]"},
        Refused{"entity", "<MDP>&a;</MDP>", "undefined entity [xml_not_parsed]"}),
    name_of);

}  // namespace
}  // namespace tidewise::mdp
