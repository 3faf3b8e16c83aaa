package org.understudy.replication.runtime.socket;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.understudy.replication.runtime.handshake.PeerTls;

/** One key and certificate for all replicas of a test, made with the JDK's keytool. */
record KeyStores(Path store) {
  private static final char[] PASSWORD = "sesame".toCharArray();

  static KeyStores of(Path directory) throws IOException, InterruptedException {
    Path store = Files.createDirectories(directory).resolve("peers.p12");
    Process keytool =
        new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "peer",
                "-keyalg", "EC", "-dname", "CN=peer", "-ext", "san=ip:127.0.0.1,dns:localhost", "-validity", "3650",
                "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", new String(PASSWORD)))
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new AssertionError(output);
    }
    return new KeyStores(store);
  }

  PeerTls tls() throws IOException, GeneralSecurityException {
    return PeerTls.of(store, PASSWORD, store, PASSWORD);
  }
}
