
#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/file/xml.h"

namespace tidewise::mdp {

// This file replaces xml_reader.cpp in builds without expat.
template <class Real>
DecisionProcess<Real> read_xml_process(ByteStream& bytes, const ReadOptions&) {
  throw input_error(errors::xml_not_built, bytes.name());
}

bool reads_xml() { return false; }

template DecisionProcess<float> read_xml_process(ByteStream&, const ReadOptions&);
template DecisionProcess<double> read_xml_process(ByteStream&, const ReadOptions&);

}  // namespace tidewise::mdp
