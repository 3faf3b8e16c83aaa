/** Messages in HTTP: media types, encodings, attachments. */
package org.understudy.soap.mime;
