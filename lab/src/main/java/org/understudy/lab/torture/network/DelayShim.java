package org.understudy.lab.torture.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The program of a shim, in the namespace of a replica: takes its connections to the other replicas and passes them on. Reads lines
 * {@code replica there back} with qualities, and {@code replica} alone, which asks for the bytes that went there and came back. Answers
 * each, and ends with its input.
 */
public final class DelayShim {
  private DelayShim() {}

  /** @param arguments the number of the replica, the number of replicas, their peer port, a seed */
  public static void main(String[] arguments) throws IOException {
    int self = Integer.parseInt(arguments[0]);
    int port = Integer.parseInt(arguments[2]);
    Map<Integer, DelayProxy> proxies = new TreeMap<>();
    for (int n = 1; n <= Integer.parseInt(arguments[1]); n++) {
      if (n != self) {
        proxies.put(n, DelayProxy.open(new InetSocketAddress(DelayedLinks.local(n), port),
            new InetSocketAddress(TestNetwork.address(n), port), Long.parseLong(arguments[3]) + self * 10L + n));
      }
    }
    System.out.println("ready");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      DelayProxy proxy = proxies.get(Integer.parseInt(words[0]));
      if (words.length > 1) {
        proxy.quality(LinkQuality.ofWord(words[1]), LinkQuality.ofWord(words[2]));
        System.out.println("ready");
      } else {
        System.out.println(proxy.bytesTo() + " " + proxy.bytesFrom());
      }
    }
  }
}
