#include <fmt/format.h>

#include "base/error.h"
#include "mdp/file/xml.h"

namespace tidewise::mdp {

// The build without expat.
template <class Real>
DecisionProcess<Real> read_xml_process(ByteStream& bytes, const ReadOptions&) {
  throw InputError(fmt::format(
      "{}: this build reads no XML (TIDEWISE_XML is OFF); build with "
      "-DTIDEWISE_XML=ON, which needs expat (libexpat1-dev), or bring the model as .json",
      bytes.name()));
}

bool reads_xml() { return false; }

template DecisionProcess<float> read_xml_process(ByteStream&, const ReadOptions&);
template DecisionProcess<double> read_xml_process(ByteStream&, const ReadOptions&);

}  // namespace tidewise::mdp
