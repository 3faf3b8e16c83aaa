package org.understudy.notification.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The certificates that https servers are verified against. The server's name is verified separately. Immutable. */
public final class TrustAnchors {
  private static final TrustAnchors JVM = new TrustAnchors(null);

  /** Null: the JVM's default, loaded on first use. */
  private final SSLContext context;

  private TrustAnchors(SSLContext context) {
    this.context = context;
  }

  /** The JVM's trust store and key: its own certificates, or those of {@code javax.net.ssl.*}. */
  public static TrustAnchors ofJvm() {
    return JVM;
  }

  /**
   * The certificates in a key store alone, read now.
   *
   * @param store PKCS12 or JKS
   * @param password of the store; null: none
   * @throws IOException when it cannot be read, or the password is wrong
   * @throws GeneralSecurityException when it is not a key store, or holds no certificate that can be read without a
   *     password
   */
  public static TrustAnchors of(Path store, char[] password) throws IOException, GeneralSecurityException {
    if (!Files.isRegularFile(store)) {
      throw new NoSuchFileException(store.toString());
    }
    KeyStore certificates = KeyStore.getInstance(store.toFile(), password);
    boolean any = false;
    for (String alias : Collections.list(certificates.aliases())) {
      any |= certificates.getCertificate(alias) != null;
    }
    if (!any) {
      throw new GeneralSecurityException(
          "no certificate in it can be read" + (password == null ? " without a password" : ""));
    }
    TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(certificates);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusted.getTrustManagers(), null);
    return new TrustAnchors(context);
  }

  /** The TLS context for connections. Loading the JVM's takes some time, once. */
  public SSLContext context() throws GeneralSecurityException {
    return context == null ? SSLContext.getDefault() : context;
  }
}
