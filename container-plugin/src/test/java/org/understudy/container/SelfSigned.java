package org.understudy.container;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server's key in a store of its own; its certificate is vouched for by nobody else. */
public record SelfSigned(Path store) {
  public static final char[] PASSWORD = "sesame".toCharArray();

  /**
   * Makes one with the JDK's keytool.
   *
   * @param names of the server, like {@code ip:127.0.0.1}
   */
  public static SelfSigned of(Path directory, String names) throws IOException, InterruptedException {
    Path store = directory.resolve(names.replaceAll("\\W", "_") + ".p12");
    Process keytool =
        new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "server",
                "-keyalg", "EC", "-dname", "CN=other end", "-ext", "san=" + names, "-validity", "3650",
                "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", new String(PASSWORD)))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new AssertionError(said);
    }
    return new SelfSigned(store);
  }

  /** For the server. */
  public SSLContext context() throws IOException, GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(store.toFile(), PASSWORD), PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
