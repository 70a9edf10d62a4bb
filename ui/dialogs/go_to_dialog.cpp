// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/go_to_dialog.hpp"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/docks/labels.hpp"
#include "ui/models/number_text.hpp"

namespace picknext::ui {

GoToDialog::GoToDialog(QWidget* parent)
    : QDialog(parent), m_edit(new QLineEdit), m_wrong(new RankedLabel(TextRank::second)) {
    setWindowTitle(tr("Go to"));
    setObjectName(QStringLiteral("goTo"));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    auto* label = new QLabel(tr("&Decision number, or time with its unit"));
    label->setBuddy(m_edit);
    column->addWidget(label);
    m_edit->setAccessibleName(tr("Decision number or time"));
    column->addWidget(m_edit);
    m_wrong->setText(tr("4711 is a decision, 84.0015 ms or 12us a time."));
    m_wrong->setWordWrap(true);
    column->addWidget(m_wrong);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto* go = buttons->addButton(tr("Go"), QDialogButtonBox::AcceptRole);
    go->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &GoToDialog::take);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(fontMetrics().averageCharWidth() * 50);
}

void GoToDialog::take() {
    const QString text = m_edit->text().trimmed();
    bool number = false;
    const quint64 decision = plain(text.startsWith(QLatin1Char('#')) ? text.mid(1) : text)
                                 .remove(QLatin1Char(' '))
                                 .toULongLong(&number);
    std::int64_t ns = 0;
    if (number) {
        accept();
        Q_EMIT decisionAsked(decision);
    } else if (parseTime(text, &ns)) {
        accept();
        Q_EMIT timeAsked(ns);
    } else {
        m_wrong->setText(tr("“%1” is neither. 4711 is a decision, 84.0015 ms or 12us a time.").arg(text));
        m_edit->selectAll();
        m_edit->setFocus();
    }
}

} // namespace picknext::ui
