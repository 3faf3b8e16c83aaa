package org.understudy.test.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A PKCS12 store with one key and its self-signed certificate: a key store, and the trust store of a peer that knows it. */
public record SelfSigned(Path store) {
  public static final char[] PASSWORD = "sesame".toCharArray();

  /**
   * Makes one with the JDK's keytool.
   *
   * @param directory for the store; created when it does not exist
   * @param names of the server, like {@code ip:127.0.0.1,dns:localhost}
   */
  public static SelfSigned of(Path directory, String names) throws IOException, InterruptedException {
    Path store = Files.createDirectories(directory).resolve(names.replaceAll("\\W", "_") + ".p12");
    Keytool.generate(store, new String(PASSWORD), "server", "-keyalg", "EC", "-dname", "CN=test", "-ext", "san=" + names);
    return new SelfSigned(store);
  }

  /** Returns a context for the server. */
  public SSLContext context() throws IOException, GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(KeyStore.getInstance(store.toFile(), PASSWORD), PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
