package org.understudy.container.invoker;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Crypto;
import org.apache.wss4j.dom.engine.WSSecurityEngine;
import org.apache.wss4j.dom.message.WSSecEncrypt;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.understudy.container.Soap;
import org.understudy.container.service.SecurityKeys;
import org.understudy.soap.xml.ElementText;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** Signs and encrypts an envelope as a client without the stub does it. */
public final class SealedMessage {
  private SealedMessage() {}

  public static Document parse(String envelope) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(envelope)));
  }

  public static byte[] bytes(Document envelope) {
    return ElementText.of(envelope.getDocumentElement()).getBytes(StandardCharsets.UTF_8);
  }

  /** With timestamp and the Body signed by a client, and the Body encrypted for the service. */
  public static byte[] of(String client, String envelope, WSEncryptionPart... alsoSigned) throws Exception {
    return bytes(sealed(client, envelope, alsoSigned));
  }

  public static Document sealed(String client, String envelope, WSEncryptionPart... alsoSigned) throws Exception {
    Document document = parse(envelope);
    WSSecHeader header = sign(document, client, alsoSigned);
    Crypto keys = SecurityKeys.crypto();
    WSSecEncrypt encryption = new WSSecEncrypt(header);
    encryption.setUserInfo(SecurityKeys.SERVICE);
    KeyGenerator generator = KeyGenerator.getInstance("AES");
    generator.init(128);
    SecretKey key = generator.generateKey();
    encryption.getParts().add(new WSEncryptionPart("Body", Soap.SOAP11, "Content"));
    encryption.build(keys, key);
    return document;
  }

  /** With timestamp and the Body signed by a client. */
  public static Document signed(String client, String envelope, WSEncryptionPart... alsoSigned) throws Exception {
    Document document = parse(envelope);
    sign(document, client, alsoSigned);
    return document;
  }

  private static WSSecHeader sign(Document document, String client, WSEncryptionPart... alsoSigned) throws Exception {
    Crypto keys = SecurityKeys.crypto();
    WSSecHeader header = new WSSecHeader(document);
    header.insertSecurityHeader();
    WSSecTimestamp timestamp = new WSSecTimestamp(header);
    timestamp.build();
    WSSecSignature signature = new WSSecSignature(header);
    signature.setUserInfo(client, SecurityKeys.PASSWORD);
    signature.setKeyIdentifierType(org.apache.wss4j.dom.WSConstants.BST_DIRECT_REFERENCE);
    List<WSEncryptionPart> parts = new ArrayList<>(List.of(alsoSigned));
    parts.add(new WSEncryptionPart("Body", Soap.SOAP11, "Content"));
    signature.getParts().addAll(parts);
    signature.build(keys);
    return header;
  }

  /** Verifies the signature of an answer, decrypts it and returns the envelope. */
  public static String opened(byte[] answer) throws Exception {
    Document document = parse(new String(answer, StandardCharsets.UTF_8));
    new WSSecurityEngine().processSecurityHeader(document, null, new SecurityKeys.Passwords(), SecurityKeys.crypto());
    return ElementText.of(document.getDocumentElement());
  }
}
