package org.understudy.notification.message;

import org.understudy.notification.topic.TopicPath;

/**
 * One message on one topic, as published. The bytes are shared by all deliveries: nobody may change them.
 *
 * @param topic the topic
 * @param xml one XML element in UTF-8 that declares every prefix it uses; no XML declaration, no DOCTYPE
 */
@SuppressWarnings("ArrayRecordComponent")
public record Notification(TopicPath topic, byte[] xml) {}
