package org.understudy.wsrf.contract;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.w3c.dom.Document;

/**
 * A serialised document of a contract. Immutable.
 *
 * @param pieces its text, split where the address of the contract stands
 * @param queries of the documents that it refers to at the same address
 */
record ContractDocument(List<String> pieces, List<String> queries) {
  private static final Pattern HERE = Pattern.compile(Pattern.quote(Reference.HERE));

  static ContractDocument of(Document document) {
    return new ContractDocument(
        List.of(HERE.split(Xml.write(document), -1)),
        Reference.of(document).stream().map(Reference::query).filter(Objects::nonNull).toList());
  }

  /** @param address of the contract, as XML text */
  String at(String address) {
    return String.join(address, pieces);
  }
}
