package org.understudy.container.twin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An HTTP response as it was sent, without the library of a client between.
 *
 * @param status of the last head: an interim one is {@link #interim}
 * @param interim the status lines before the last
 * @param headers by their names in lower case, each with all its values
 */
record RawAnswer(int status, List<String> interim, Map<String, List<String>> headers, byte[] body) {
  private static final int TIMEOUT_MS = 60_000;

  /** Sends a request on a connection of its own and reads the answer to its end. */
  static RawAnswer of(int port, byte[] request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(TIMEOUT_MS);
      OutputStream out = socket.getOutputStream();
      out.write(request);
      out.flush();
      InputStream in = socket.getInputStream();
      List<String> interim = new ArrayList<>();
      while (true) {
        String line = line(in);
        Map<String, List<String>> headers = headers(in);
        int status = Integer.parseInt(line.split(" ")[1]);
        if (status >= 200) {
          boolean chunked = headers.containsKey("transfer-encoding");
          return new RawAnswer(status, interim, headers, chunked ? chunks(in) : in.readAllBytes());
        }
        interim.add(line);
      }
    }
  }

  private static Map<String, List<String>> headers(InputStream in) throws IOException {
    Map<String, List<String>> headers = new TreeMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
          .add(line.substring(colon + 1).trim());
    }
    return headers;
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String size = line(in); !size.equals("0"); size = line(in)) {
      if (size.isEmpty()) {
        throw new IOException("The chunked answer ends after " + all.size() + " bytes.");
      }
      all.writeBytes(in.readNBytes(Integer.parseInt(size, 16)));
      line(in);
    }
    return all.toByteArray();
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  String header(String name) {
    return String.join(", ", headers.getOrDefault(name, List.of()));
  }
}
