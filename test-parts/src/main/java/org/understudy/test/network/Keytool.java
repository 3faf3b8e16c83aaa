package org.understudy.test.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JDK's keytool. */
public final class Keytool {
  /**
   * Keys are derived from a password in one round instead of ten thousand: what reads a store for each message would spend nearly all
   * the time of a test on that.
   */
  private static final List<String> ONE_ROUND =
      List.of(
          "-J-Dkeystore.pkcs12.keyPbeIterationCount=1", "-J-Dkeystore.pkcs12.certPbeIterationCount=1",
          "-J-Dkeystore.pkcs12.macIterationCount=1", "-J-XX:TieredStopAtLevel=1");

  private Keytool() {}

  /**
   * Adds a key and its self-signed certificate to a PKCS12 store, which is made if there is none.
   *
   * @param arguments of {@code -genkeypair} beyond the store, its password and the alias
   */
  public static void generate(Path store, String password, String alias, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(ONE_ROUND);
    command.addAll(List.of("-genkeypair", "-alias", alias, "-validity", "3650", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", password));
    command.addAll(List.of(arguments));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new AssertionError(output);
    }
  }
}
