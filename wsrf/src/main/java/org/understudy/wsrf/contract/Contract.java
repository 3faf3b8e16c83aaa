package org.understudy.wsrf.contract;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import org.w3c.dom.Document;

/** A WSDL and everything that it imports, serialised except for the address. Immutable. */
final class Contract {
  private final Map<String, ContractDocument> documents = new HashMap<>();

  /**
   * Collects the documents that can be reached from the WSDL.
   *
   * @param own the service's documents by their queries; the WSDL itself as {@code wsdl}
   * @param standards whose lock the caller holds
   * @throws IllegalStateException when a named document is missing
   */
  Contract(Map<String, Document> own, StandardContracts standards) {
    Queue<String> open = new ArrayDeque<>();
    open.add("wsdl");
    while (!open.isEmpty()) {
      String query = open.remove();
      if (!documents.containsKey(asked(query))) {
        Document document = own.get(query);
        ContractDocument written = document == null ? standards.written(query) : ContractDocument.of(document);
        if (written == null) {
          throw new IllegalStateException("The contract names a document that cannot be found: " + query + ".");
        }
        documents.put(asked(query), written);
        open.addAll(written.queries());
      }
    }
  }

  /** Whether a query of a GET is for a contract. */
  static boolean isAskedBy(String query) {
    return query != null && (query.regionMatches(true, 0, "wsdl", 0, 4) || query.regionMatches(true, 0, "xsd", 0, 3));
  }

  /**
   * One of the documents.
   *
   * @param query as it came, for example {@code wsdl} or {@code xsd=b-2.xsd}
   * @param address of the endpoint, as the client knows it
   * @return null when the document is unknown
   */
  byte[] document(String query, String address) {
    ContractDocument document = documents.get(asked(query));
    return document == null ? null : document.at(escaped(address)).getBytes(StandardCharsets.UTF_8);
  }

  /** Normalises the queries for the same document; null when the query is invalid. */
  private static String asked(String query) {
    int end = query.indexOf('&');
    String first = end < 0 ? query : query.substring(0, end);
    int equals = first.indexOf('=');
    if (equals < 0 || equals == first.length() - 1) {
      return (equals < 0 ? first : first.substring(0, equals)).toLowerCase(Locale.ROOT);
    }
    try {
      return first.substring(0, equals).toLowerCase(Locale.ROOT)
          + URLDecoder.decode(first.substring(equals), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String escaped(String address) {
    return address.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;").replace("'", "&apos;");
  }
}
