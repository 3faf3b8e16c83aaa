package org.understudy.container.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import org.apache.wss4j.common.ConfigurationConstants;
import org.apache.wss4j.common.crypto.Crypto;
import org.apache.wss4j.common.crypto.CryptoFactory;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.understudy.test.network.Keytool;

/** RSA keys of a service and of two clients, each trusted by all, made once; short ones, because a JVM in tests is slow with long ones. */
public final class SecurityKeys {
  public static final String PASSWORD = "sesame";
  public static final String SERVICE = "service";
  private static final Path STORE = make();

  private SecurityKeys() {}

  private static Path make() {
    try {
      Path store = Files.createTempDirectory("keys").resolve("keys.p12");
      for (String name : List.of(SERVICE, "alice", "bob")) {
        Keytool.generate(store, PASSWORD, name, "-keyalg", "RSA", "-keysize", "1024", "-dname", "CN=" + name);
      }
      return store;
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Where WSS4J finds the keys. */
  public static Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("org.apache.wss4j.crypto.provider", "org.apache.wss4j.common.crypto.Merlin");
    properties.setProperty("org.apache.wss4j.crypto.merlin.keystore.type", "pkcs12");
    properties.setProperty("org.apache.wss4j.crypto.merlin.keystore.password", PASSWORD);
    properties.setProperty("org.apache.wss4j.crypto.merlin.keystore.file", STORE.toString());
    return properties;
  }

  public static Crypto crypto() throws WSSecurityException {
    return CryptoFactory.getInstance(properties());
  }

  /**
   * What a sender signs and encrypts.
   *
   * @param parts that are signed
   * @param receiver for whom it encrypts
   */
  public static Map<String, Object> outgoing(String sender, String receiver, String parts) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConfigurationConstants.ACTION, "Timestamp Signature Encryption");
    settings.put(ConfigurationConstants.USER, sender);
    settings.put(ConfigurationConstants.SIG_PROP_REF_ID, "keys");
    settings.put(ConfigurationConstants.ENC_PROP_REF_ID, "keys");
    settings.put("keys", properties());
    settings.put(ConfigurationConstants.SIG_KEY_ID, "DirectReference");
    settings.put(ConfigurationConstants.ENCRYPTION_USER, receiver);
    settings.put(ConfigurationConstants.PW_CALLBACK_REF, new Passwords());
    settings.put(ConfigurationConstants.SIGNATURE_PARTS, parts);
    return settings;
  }

  /** Without encryption. */
  public static Map<String, Object> signed(Map<String, Object> settings) {
    settings.put(ConfigurationConstants.ACTION, "Timestamp Signature");
    return settings;
  }

  /** What a receiver requires. */
  public static Map<String, Object> incoming() {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConfigurationConstants.ACTION, "Timestamp Signature Encryption");
    settings.put(ConfigurationConstants.SIG_VER_PROP_REF_ID, "keys");
    settings.put(ConfigurationConstants.DEC_PROP_REF_ID, "keys");
    settings.put("keys", properties());
    settings.put(ConfigurationConstants.PW_CALLBACK_REF, new Passwords());
    return settings;
  }

  /** Opens private keys. */
  public static final class Passwords implements CallbackHandler {
    @Override
    public void handle(Callback[] callbacks) {
      for (Callback callback : callbacks) {
        if (callback instanceof WSPasswordCallback password) {
          password.setPassword(PASSWORD);
        }
      }
    }
  }
}
