package org.understudy.container.twin;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/**
 * Everything that a client and a service see of one message, by what it is, without what differs between two servers: addresses, ports,
 * ids, times, prefixes and boundaries.
 */
record Observation(Map<String, String> aspects) {
  /** Of the connection and not of the answer. */
  private static final Set<String> HOP = Set.of("date", "connection", "keep-alive", "content-length", "transfer-encoding");

  private static final Pattern UUID = Pattern.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private static final Pattern SESSION = Pattern.compile("JSESSIONID=[0-9A-F]{32}");
  private static final Pattern CHARSET = Pattern.compile("charset=\"?([\\w-]+)");

  /**
   * The names of one server, which are replaced.
   *
   * @param servlet the path of the servlet
   * @param address of the endpoint in the servlet
   */
  record Names(int port, String servlet, String address, String service, String id) {
    String path() {
      return "/app" + servlet + address;
    }

    String without(String text) {
      String plain = text.replace(id, "{id}").replace("/app" + servlet + address, "{path}").replace(Integer.toString(port), "{port}")
          .replace("/app|" + servlet + "|" + address, "{path}").replace("/app" + servlet, "{servlet}").replace(address, "/" + service);
      return SESSION.matcher(UUID.matcher(plain).replaceAll("{uuid}")).replaceAll("JSESSIONID={session}");
    }
  }

  static Observation of(RawAnswer answer, List<Map<String, String>> seen, Names names) {
    Map<String, String> all = new TreeMap<>();
    all.put("status", Integer.toString(answer.status()));
    if (!answer.interim().isEmpty()) {
      all.put("interim", answer.interim().toString());
    }
    answer.headers().forEach((name, values) -> {
      if (!HOP.contains(name)) {
        all.put("header." + name, name.equals("content-type") ? contentType(values.toString()) : values.toString());
      }
    });
    String type = answer.header("content-type");
    if (type.startsWith("multipart/")) {
      parts(answer, type, all);
    } else {
      content("", answer.body(), type, all);
    }
    for (String by : List.of("service", "interceptor", "handler")) {
      int number = 0;
      for (Map<String, String> one : seen) {
        if (one.keySet().iterator().next().startsWith(by + ".")) {
          String nth = ++number == 1 ? "" : number + ".";
          one.forEach((key, value) -> all.put(nth + key, value));
        }
      }
      all.put(by + ".times", Integer.toString(number));
    }
    all.replaceAll((name, value) -> names.without(value));
    return new Observation(all);
  }

  /** Parameters in any order, without those that another message has otherwise. */
  private static String contentType(String type) {
    String[] pieces = type.toLowerCase(Locale.ROOT).split(";");
    return Stream.concat(
            Stream.of(pieces[0].trim()),
            Arrays.stream(pieces, 1, pieces.length)
                .map(one -> one.trim().replace("\"", "").replaceAll("^(boundary|start)=.*", "$1"))
                .sorted())
        .collect(Collectors.joining("; "));
  }

  private static void parts(RawAnswer answer, String type, Map<String, String> all) {
    String boundary = type.replaceAll("(?i).*boundary=\"?([^\";]*).*", "$1");
    String text = new String(answer.body(), StandardCharsets.ISO_8859_1);
    String[] parts = ("\r\n" + text).split(Pattern.quote("\r\n--" + boundary));
    for (int i = 1; i < parts.length - 1; i++) {
      int end = parts[i].indexOf("\r\n\r\n");
      String prefix = "part." + i + ".";
      for (String header : parts[i].substring(0, end).split("\r\n")) {
        if (!header.isBlank()) {
          String name = header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
          String value = header.substring(header.indexOf(':') + 1).trim();
          all.put(prefix + name, name.equals("content-type") ? contentType(value) : name.equals("content-id") ? "id" : value);
        }
      }
      byte[] content = parts[i].substring(end + 4).getBytes(StandardCharsets.ISO_8859_1);
      if (i == 1) {
        content("", content, all.getOrDefault(prefix + "content-type", ""), all);
      } else {
        all.put(prefix + "content", content.length + " bytes " + Arrays.hashCode(content));
      }
    }
  }

  private static void content(String prefix, byte[] body, String type, Map<String, String> all) {
    Matcher named = CHARSET.matcher(type);
    String charset = named.find() ? named.group(1) : "UTF-8";
    String text = new String(body, Charset.forName(charset));
    Element root = CanonicalXml.parse(body, charset);
    if (root == null) {
      all.put(prefix + "text", text);
      return;
    }
    all.put(prefix + "declaration", text.startsWith("<?xml") ? text.substring(0, text.indexOf("?>") + 2).replace('\'', '"') : "none");
    if (!"Envelope".equals(root.getLocalName())) {
      all.put(prefix + "xml", CanonicalXml.of(root));
      return;
    }
    all.put(prefix + "envelope", root.getNamespaceURI());
    for (Element part : CanonicalXml.elements(root)) {
      for (Element block : CanonicalXml.elements(part)) {
        String name = prefix + (part.getLocalName().equals("Body") ? "body" : "block." + block.getLocalName());
        if (block.getLocalName().equals("Fault") && part.getLocalName().equals("Body")) {
          fault(prefix, block, all);
        } else {
          all.merge(name, CanonicalXml.of(block).replaceAll("cid:[^\"<]*", "cid:"), (one, other) -> one + other);
        }
      }
    }
  }

  private static void fault(String prefix, Element fault, Map<String, String> all) {
    for (Element part : CanonicalXml.elements(fault)) {
      String name = part.getLocalName().toLowerCase(Locale.ROOT).replace("faultcode", "code").replace("faultstring", "reason");
      all.put(prefix + "fault." + name, name.equals("reason") ? part.getTextContent() : CanonicalXml.of(part));
    }
  }
}
