package org.understudy.durability.database;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import org.understudy.test.network.SelfSigned;

/** The certificate of a database server, which names 127.0.0.1 only, as the files that MySQL and MariaDB take. */
final class ServerCertificate {
  private final Path directory;

  private ServerCertificate(Path directory) {
    this.directory = directory;
  }

  static ServerCertificate write(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
    SelfSigned made = SelfSigned.of(directory, "ip:127.0.0.1");
    KeyStore store = KeyStore.getInstance(made.store().toFile(), SelfSigned.PASSWORD);
    String alias = store.aliases().nextElement();
    ServerCertificate written = new ServerCertificate(directory);
    pem(written.certificate(), "CERTIFICATE", store.getCertificate(alias).getEncoded());
    pem(written.key(), "PRIVATE KEY", store.getKey(alias, SelfSigned.PASSWORD).getEncoded());
    trust(written.trust(), store.getCertificate(alias));
    return written;
  }

  /** Writes a trust store with one certificate. */
  private static void trust(Path file, Certificate certificate) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", certificate);
    try (OutputStream out = Files.newOutputStream(file)) {
      trusted.store(out, SelfSigned.PASSWORD);
    }
  }

  Path certificate() {
    return directory.resolve("certificate.pem");
  }

  Path key() {
    return directory.resolve("key.pem");
  }

  /** A trust store with the certificate. */
  Path trust() {
    return directory.resolve("trust.p12");
  }

  private static void pem(Path file, String what, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n", StandardCharsets.US_ASCII);
  }
}
