/** Messages as HTTP carries them: media types, encodings, attachments. */
package org.understudy.soap.mime;
