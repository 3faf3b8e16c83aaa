/**
 * XPath 1.0 for expressions from untrusted senders: no files, no network, only the core function library, and a budget of
 * steps instead of a clock, so that an evaluation ends at the same point on every machine. Jaxen parses; the documents are
 * small immutable trees of this package.
 */
package org.understudy.notification.xpath;
